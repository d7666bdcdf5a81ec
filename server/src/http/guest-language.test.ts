import fastifyCookie from '@fastify/cookie';
import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { createGuestLanguage } from './guest-language.ts';

describe("a guest's language", () => {
  async function of(url: string, headers: Record<string, string> = {}, byPhone = false) {
    const app = Fastify();
    await app.register(fastifyCookie);
    const languageOf = createGuestLanguage(true, () => byPhone);
    app.get('/join', async (request, reply) => languageOf(request, reply, request.url.endsWith('?host')));
    const answer = await app.inject({ url, headers });
    return { ...answer.json<{ language: string; offered: string | null }>(), cookie: answer.headers['set-cookie'] };
  }
  const turkish = { 'accept-language': 'tr-TR,tr;q=0.9' };
  const kept = { ...turkish, cookie: '__Host-feierbild_language=uk' };

  it('is German until it is chosen, and that of the phone is offered', async () => {
    expect(await of('/join', turkish)).toEqual({ language: 'de', offered: 'tr', cookie: undefined });
    expect(await of('/join')).toMatchObject({ language: 'de', offered: null });
  });

  it('is what the address says, which is kept for a year, out of the reach of scripts', async () => {
    const chosen = await of('/join?lang=pl', kept);
    expect(chosen).toMatchObject({ language: 'pl', offered: null });
    expect(chosen.cookie).toMatch(/^__Host-feierbild_language=pl; Max-Age=31536000; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
  });

  it('is what was chosen before, and nothing else is offered then', async () => {
    expect(await of('/join', kept)).toEqual({ language: 'uk', offered: null, cookie: undefined });
    expect(await of('/join', { ...turkish, cookie: '__Host-feierbild_language=__proto__' })).toMatchObject({
      language: 'de',
      offered: 'tr',
    });
    expect(await of('/join?lang=xx', kept)).toMatchObject({ language: 'uk', cookie: undefined });
  });

  it('is the phone’s by itself only where the operator or the event’s host has set that', async () => {
    expect(await of('/join?host', turkish)).toMatchObject({ language: 'tr', offered: null });
    expect(await of('/join', turkish, true)).toEqual({ language: 'tr', offered: null, cookie: undefined });
    expect(await of('/join', kept, true)).toMatchObject({ language: 'uk' });
    expect(await of('/join', {}, true)).toMatchObject({ language: 'de', offered: null });
  });
});
