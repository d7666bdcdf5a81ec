import type { Receipt } from '@feierbild/contract/receipt.ts';
import { expect } from 'vitest';
import type { Engine } from '../../database/testing.ts';
import { PARTY, premisesOf } from '../retention/testing/premises.ts';
import { drawPhoto } from '../testing.ts';

/** For tests: premises whose events' receipts are asked for over HTTP. */
export function receiptsOf(engine: Engine) {
  const at = premisesOf(engine);

  const ask = async (ref: string, { token, cookie }: { token?: string; cookie?: string } = {}) => {
    const response = await fetch(`${at.app.url}/api/events/${ref}/receipt${token ? `?token=${token}` : ''}`, {
      headers: cookie ? { cookie } : {},
    });
    const body = (await response.json()) as Receipt & { code?: string };
    return { status: response.status, code: body.code, receipt: body };
  };
  const linkOf = async (ref: string, cookie: string): Promise<string> => {
    const response = await fetch(`${at.app.url}/api/events/${ref}`, { headers: { cookie } });
    return ((await response.json()) as { receipt_link: string }).receipt_link;
  };
  const tokenOf = (event: { id: string; code: string }) => at.app.receipts.linkTo(event).then((link) => link.split('#')[1] as string);
  const publicKeys = async () => {
    const { keys } = (await (await fetch(`${at.app.url}/api/receipt-keys`)).json()) as { keys: { key_id: string; public_key: string }[] };
    return keys;
  };
  /** Makes an event with two photos; returns their size, too. */
  async function filled() {
    const made = await at.app.event({ ...PARTY, is_active: 1 });
    const files = [await drawPhoto(), await drawPhoto()];
    for (const file of files) expect((await at.app.upload(made.code, file)).status).toBe(201);
    return { ...made, bytes: files.reduce((sum, { length }) => sum + length, 0) };
  }

  return { at, ask, linkOf, tokenOf, publicKeys, filled };
}
