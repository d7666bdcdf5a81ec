import { describe, expect, it } from 'vitest';
import { createDavSessions, type DavFile, type DavSession } from './dav-sessions.ts';

const FILE: DavFile = { size: 1, modified: 0, photoId: null, folder: false };
const FOLDER: DavFile = { size: 0, modified: 0, photoId: null, folder: true };

describe('what a node remembers of booths', () => {
  const sessions = createDavSessions();
  const of = (eventId: string, software: string) => ({ eventId, address: '192.0.2.1', user: 'ABCD2345', software });
  const fill = (session: DavSession, count: number, file = FILE): DavSession => {
    for (let n = 0; n < count; n++) session.set(`${n}.jpg`, file);
    return session;
  };

  it('is all of a feast of two days, so that copying a folder ends', () => {
    const session = fill(sessions.open(of('fest', 'rclone')), 2500);
    expect(session.inside('')).toHaveLength(2500);
    expect(session.get('0.jpg')).toBe(FILE);
  });

  it('is bounded in all, and one event pushes out only its own', () => {
    for (let booth = 0; booth < 8; booth++) fill(sessions.open(of('andere', `${booth}`)), 12_000, FOLDER);
    sessions.open(of('andere', '7'));
    const kept = Array.from({ length: 8 }, (_, booth) => sessions.find(of('andere', `${booth}`))?.size());
    expect(kept).toEqual([undefined, undefined, undefined, undefined, 10_000, 10_000, 10_000, 10_000]);
    expect(sessions.find(of('fest', 'rclone'))?.size()).toBe(2500);
  });

  it('moves with its folder, in the order in which it is forgotten', () => {
    const session = sessions.open(of('umzug', 'Finder'));
    for (let n = 0; n < 9000; n++) session.set(`Freitag/${n}.jpg`, FILE);
    session.move('Freitag', 'Fest/Freitag');
    expect(session.inside('Fest/Freitag').map(([path]) => path)).toEqual(Array.from({ length: 9000 }, (_, n) => `Fest/Freitag/${n}.jpg`));
    expect([session.get('Freitag'), session.get('Fest')?.folder, session.size()]).toEqual([undefined, true, 9002]);
    for (let n = 0; n < 998; n++) session.set(`${n}.jpg`, FILE);
    session.set('letztes.jpg', FILE);
    expect([session.get('Fest/Freitag/0.jpg'), session.get('Fest/Freitag/1.jpg'), session.get('Fest/Freitag')?.folder]).toEqual([
      undefined,
      FILE,
      true,
    ]);
  });
});
