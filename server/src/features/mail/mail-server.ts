import { SMTP_TLS_PORT } from '@feierbild/contract/constants.ts';
import type { MailServerForm, SetMailServer } from '@feierbild/contract/mail-schemas.ts';
import type { Kysely } from 'kysely';
import type { Database } from '../../database/schema.ts';
import { createInstallationKey } from '../../database/settings.ts';
import type { AdminVisitor } from '../../http/visitor.ts';
import { Refusal } from '../../lib/errors.ts';
import { hasNews } from '../../lib/opened-form.ts';
import type { Audit } from '../audit/audit.ts';
import type { Context } from '../context.ts';
import type { MailServer } from './smtp.ts';

const PURPOSE = 'mail-server';
/** Hosts on this machine, which need no certificate. */
const HERE = new Set(['localhost', '127.0.0.1', '::1']);
const FIXED = 'Der Mailserver ist auf dem Server festgelegt: SMTP_URL und MAIL_FROM.';

/** The server that mail goes through, its sender, and the origin of its links (without a slash at the end). */
export interface MailWay {
  server: MailServer;
  from: { name: string; address: string };
  origin: string;
}

interface Deps extends Pick<Context, 'db' | 'vault'> {
  audit: Audit;
  config: { mail: Pick<MailWay, 'server' | 'from'> | null; publicUrl: string | null };
}

export type MailServers = ReturnType<typeof createMailServers>;

/**
 * Creates the settings of the mail server: those of the environment, else those that an operator set in the browser. The latter are in no
 * backup, and their password is sealed with the installation's key. They are read at each use, so a change takes effect on all nodes at
 * once.
 */
export function createMailServers({ db, vault, audit, config }: Deps) {
  const installationKey = createInstallationKey(db);
  const rowOf = (kysely: Kysely<Database>) => kysely.selectFrom('mail_server').selectAll().executeTakeFirst();

  /** Returns the way of mail; null if none is sent. Must not run within a transaction, as it reads the installation's key. */
  async function inForce(): Promise<MailWay | null> {
    if (config.mail) return { ...config.mail, origin: config.publicUrl ?? '' };
    const row = await rowOf(db.kysely);
    if (!row) return null;
    const { host, port, username: user, sealed_password: sealed } = row;
    const pass = sealed && vault.openForInstallation(await installationKey(), sealed, PURPOSE);
    const tls = port === SMTP_TLS_PORT ? 'always' : HERE.has(host) ? 'none' : 'required';
    return {
      server: { host, port, tls, ...(user !== '' && { auth: { user, pass: pass ?? '' } }) },
      from: { name: '', address: row.sender },
      origin: config.publicUrl ?? row.origin,
    };
  }

  return {
    inForce,

    /** Returns whether mail is sent; may run within a transaction. Does not open the password, so that only sending depends on it. */
    isOn: async (kysely: Kysely<Database> = db.kysely): Promise<boolean> => config.mail !== null || (await rowOf(kysely)) !== undefined,

    /** Returns the settings from the browser, without the password; null if there are none. */
    async set(): Promise<SetMailServer | null> {
      const row = await rowOf(db.kysely);
      return row ? shown(row) : null;
    },

    /**
     * Sets the server. Without a password, the stored one stays, but only for the same server and user: somebody who merely has a session
     * cannot send it elsewhere. Throws Refusal `invalid_input`, and `settings_changed` if the form was opened before another change.
     */
    async change(by: AdminVisitor, { was, password, user, ...form }: MailServerForm, address: string): Promise<void> {
      if (config.mail) throw new Refusal('invalid_input', { fields: { host: FIXED } });
      // Read outside of the transaction, as it may write the key first.
      const key = await installationKey();
      await db.transaction(async (trx) => {
        const before = await trx.selectFrom('mail_server').selectAll().forUpdate().executeTakeFirst();
        const now = before ? shown(before) : null;
        const wish = { ...form, user, has_password: user !== '' && (password !== undefined || now?.has_password === true) };
        // A typed password always counts as a change, as it cannot be compared with the stored one.
        if (!hasNews({ was, wish, now }, 'settings_changed') && password === undefined) return;
        const isSame = before?.host === form.host && before.port === form.port && before.username === user;
        if (user !== '' && password === undefined && !isSame)
          throw new Refusal('invalid_input', { fields: { password: 'Bitte geben Sie das Passwort für diesen Mailserver ein.' } });
        const kept = isSame ? before.sealed_password : null;
        const sealed_password = user === '' ? null : password === undefined ? kept : vault.sealForInstallation(key, password, PURPOSE);
        const values = { ...form, username: user, sealed_password };
        const stored = await trx
          .insertInto('mail_server')
          .values({ id: 1, ...values })
          // Without a row there is nothing to lock; the later of two simultaneous first saves is refused.
          .onConflict((conflict) => (before ? conflict.column('id').doUpdateSet(values) : conflict.column('id').doNothing()))
          .returning('id')
          .executeTakeFirst();
        if (!stored) throw new Refusal('settings_changed');
        await audit.record({ actor: `admin:${by.username}`, action: 'settings.changed', address }, trx);
      });
      await db.eraseDeleted();
    },

    /** Removes the settings; then no mail is sent, unless the environment has some. */
    async remove(by: AdminVisitor, address: string): Promise<void> {
      await db.transaction(async (trx) => {
        await trx.deleteFrom('mail_server').execute();
        await audit.record({ actor: `admin:${by.username}`, action: 'settings.changed', address }, trx);
      });
      await db.eraseDeleted();
    },
  };
}

/** Returns a row without its password. */
function shown({ host, port, username: user, sender, origin, sealed_password }: Database['mail_server']): SetMailServer {
  return { host, port, user, sender, origin, has_password: sealed_password !== null };
}
