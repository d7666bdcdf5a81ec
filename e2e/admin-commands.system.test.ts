import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient, createEvent, deviceOf, hostOf, LONG_OVER, upload, type Client } from './support/api.ts';
import { cli, cliOnTerminal, hasTerminal } from './support/cli.ts';
import { statusOfLogin } from './support/login.ts';
import { drawPhoto } from './support/photos.ts';
import { ADMIN, startServer, type TestServer } from './support/server.ts';

const terminal = hasTerminal();

describe("an administrator's account by commands, while the server runs", () => {
  let server: TestServer;
  /** The administrator's current password, which some tests change. */
  let password = ADMIN.password;
  let passwords = 1;
  const another = (): string => `ein-neues-Kennwort-${++passwords}`;

  beforeAll(async () => void (server = await startServer()));
  afterAll(() => server.dispose());

  const loginWith = (username: string, tried: string) => statusOfLogin(server.url, username, tried);
  /** Expects that the administrator can reset the host's password, which takes the operator's key, and that the host can log in with it. */
  async function commands(admin: Client, event: { id: string; code: string }): Promise<void> {
    const { new_password } = await admin.json<{ new_password: string }>('PUT', `/admin/events/${event.id}/user/password`, {}, 200);
    await createClient(server.url).json('POST', '/auth/user/login', { username: event.code, password: new_password }, 200);
  }

  const help = 'Aufruf: npm run cli -- <Befehl>';

  it.each([[[]], [['unfug']], [['admin']], [['admin', 'add']], [['maintain', 'jetzt']], [['admin', 'list', '--laut']]])(
    'shows the help and ends with 64 for %j',
    async (args) => {
      const { code, stdout, stderr } = await cli(server, args);
      expect([code, stdout]).toEqual([64, '']);
      expect(stderr).toContain(help);
    },
  );

  it('shows the help on request', async () => {
    const { code, stdout } = await cli(server, ['--help']);
    expect([code, stdout.includes(help)]).toEqual([0, true]);
  });

  it('refuses a wrong password with a German line', async () => {
    const { code, stderr } = await cli(server, ['admin', 'password'], ['falsch', another()]);
    expect([code, stderr]).toEqual([1, 'Das aktuelle Passwort stimmt nicht.\n']);
  });

  it('changes the password of an assistant, who has no part in the operator’s keys', async () => {
    const admin = createClient(server.url);
    await admin.json('POST', '/auth/admin/login', { username: ADMIN.username, password }, 200);
    const hilde = await admin.json<{ password: string }>('POST', '/admin/admins', { username: 'hilde', role: 'assistant' }, 201);
    const { stdout } = await cli(server, ['admin', 'password', 'hilde'], [hilde.password, another()]);
    expect(stdout).toBe('Das Passwort ist geändert. Alle Anmeldungen dieses Zugangs sind beendet.\n');
    const { admins } = await admin.json<{ admins: { id: string; own: boolean }[] }>('GET', '/admin/admins');
    for (const { id, own } of admins) if (!own) await admin.json('DELETE', `/admin/admins/${id}`, undefined, 204);
  });

  // This test takes longer on a busy machine, which creates more events meanwhile; each of them is checked.
  it('changes the password while events are created and photos come, and loses none', async () => {
    const [before, next] = [password, another()];
    const added = await cli(server, ['admin', 'add', 'Clara'], [before]);
    const [, given = ''] = /Passwort „(.+)“/.exec(added.stdout) ?? [];
    const clara = createClient(server.url);
    await clara.json('POST', '/auth/admin/login', { username: 'Clara', password: given }, 200);
    const party = await createEvent(clara);
    const device = await deviceOf(server.url);

    let running = true;
    const events: { id: string; code: string }[] = [];
    let photos = 0;
    const create = async (): Promise<void> => {
      while (running) events.push(await createEvent(clara));
    };
    const send = async (): Promise<void> => {
      while (running) {
        expect((await upload({ url: server.url, code: party.code, device, file: await drawPhoto(photos, 200, 150) })).status).toBe(201);
        photos++;
      }
    };
    const change = async (): Promise<void> => {
      const changed = await cli(server, ['admin', 'password', ADMIN.username], [before, next]);
      running = false;
      password = next;
      expect(changed).toMatchObject({ code: 0, stderr: '' });
    };
    await Promise.all([create(), send(), change()]);

    expect(await loginWith(ADMIN.username, before)).toBe(401);
    const admin = createClient(server.url);
    await admin.json('POST', '/auth/admin/login', { username: ADMIN.username, password }, 200);
    for (const event of events) await commands(admin, event);
    const host = await hostOf(server.url, party);
    expect(await host.json('GET', `/api/events/${party.code}/stats`)).toEqual({ total_photos: photos });
    await commands(admin, party);
    expect([events.length > 0, photos > 0]).toEqual([true, true]);

    const list = await cli(server, ['admin', 'list']);
    expect(list.stdout).toMatch(/^admin {2}.+\nClara {2}/);
    // With two administrators, the command asks for the name of one's own account.
    const removed = await cli(server, ['admin', 'remove', 'Clara'], [ADMIN.username, password]);
    expect(removed.code).toBe(0);
    expect((await clara.request('/admin/events')).status).toBe(401);
    await commands(admin, party);
    const own = await cli(server, ['admin', 'remove', ADMIN.username], [password]);
    expect([own.code, own.stderr]).toEqual([1, 'Den eigenen Zugang können Sie nicht entfernen.\n']);
  });

  it('runs the retention and says what it did', async () => {
    const admin = createClient(server.url);
    await admin.json('POST', '/auth/admin/login', { username: ADMIN.username, password }, 200);
    const old = await createEvent(admin, LONG_OVER);
    expect((await cli(server, ['maintain'])).stdout).toMatch(/^1 Event wurde endgültig gelöscht; /);
    expect((await cli(server, ['maintain'])).stdout).toMatch(/^Kein Event war fällig; /);
    const { events } = await admin.json<{ events: { id: string; purged_at?: string | null }[] }>('GET', '/admin/events');
    expect(events.some(({ id }) => id === old.id)).toBe(true);
  });

  it('gives no recovery code to a pipe', async () => {
    const { code, stdout, stderr } = await cli(server, ['recovery-code'], [password]);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('nur auf einem Terminal');
  });

  it.skipIf(!terminal)('refuses a wrong recovery code before it asks for a new password', async () => {
    const refused = await cliOnTerminal(server, ['admin', 'recover'], [['Wiederherstellungscode: ', 'FALS-CHER-CODE']]);
    expect(refused.code).toBe(1);
    expect(refused.stdout).toContain('Der Wiederherstellungscode stimmt nicht.');
    expect(refused.stdout).not.toContain('Neues Passwort');
  });

  it.skipIf(!terminal)('shows a recovery code on a terminal, which sets a new password; nothing typed is echoed', async () => {
    const [before, next] = [password, another()];
    const shown = await cliOnTerminal(server, ['recovery-code'], [['Passwort von', before]]);
    const [, code = ''] = /Wiederherstellungscode: (\S+)/.exec(shown.stdout) ?? [];
    expect([shown.code, code]).toEqual([0, expect.stringMatching(/^[A-Z2-9]{4}(-[A-Z2-9]{4}){5}$/)]);
    expect(shown.stdout).not.toContain(before);

    const recovered = await cliOnTerminal(
      server,
      ['admin', 'recover'],
      [
        ['Wiederherstellungscode: ', code],
        ['Neues Passwort (', next],
        ['wiederholen: ', next],
      ],
    );
    expect(recovered.code).toBe(0);
    password = next;
    expect(recovered.stdout).not.toContain(code);
    expect([await loginWith(ADMIN.username, before), await loginWith(ADMIN.username, next)]).toEqual([401, 200]);
    expect(server.output()).not.toContain(code);
  });
});
