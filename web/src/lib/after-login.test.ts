import { describe, expect, it } from 'vitest';
import { afterAdminLogin, afterHostLogin } from './after-login.ts';

describe('the way after a login', () => {
  it('leads back to the own event only', () => {
    expect(afterHostLogin('/gallery/ABCDEFGH?foto=1', 'ABCDEFGH')).toBe('/gallery/ABCDEFGH?foto=1');
    expect(afterHostLogin('/gallery/abcdefgh', 'ABCDEFGH')).toBe('/gallery/abcdefgh');
    expect(afterHostLogin('/gallery/OTHEREVT', 'ABCDEFGH')).toBe('/manage/ABCDEFGH');
    expect(afterHostLogin('/freigabe/ABCDEFGH', 'ABCDEFGH')).toBe('/freigabe/ABCDEFGH');
    expect(afterHostLogin('/galerie/ABCDEFGH', 'ABCDEFGH')).toBe('/galerie/ABCDEFGH');
    expect(afterHostLogin('/freigabe/OTHEREVT', 'ABCDEFGH')).toBe('/manage/ABCDEFGH');
    expect(afterHostLogin('/manage', 'ABCDEFGH')).toBe('/manage/ABCDEFGH');
  });

  it.each(['//evil.example', 'https://evil.example', '/\\evil.example', 'javascript:alert(1)', '/\tmanage/ABCDEFGH', ''])(
    'never leads to %j',
    (redirect) => {
      expect(afterHostLogin(redirect, 'ABCDEFGH')).toBe('/manage/ABCDEFGH');
      expect(afterAdminLogin(redirect)).toBe('/admin');
    },
  );

  it('leads to the dashboard where the way back cannot be read', () => {
    expect(afterHostLogin('/gallery/%', 'ABCDEFGH')).toBe('/manage/ABCDEFGH');
  });

  it('leads an admin to admin pages', () => {
    expect(afterAdminLogin('/admin?filter=aktiv')).toBe('/admin?filter=aktiv');
    expect(afterAdminLogin('/admin/login')).toBe('/admin');
    expect(afterAdminLogin('/manage/ABCDEFGH')).toBe('/admin');
  });
});
