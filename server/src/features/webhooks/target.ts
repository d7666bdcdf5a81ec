import { lookup as systemLookup } from 'node:dns/promises';
import http from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Bytes } from '../../lib/bytes.ts';
import { withDeadline } from '../../lib/deadline.ts';
import { decodeText } from '../../lib/decode-text.ts';
import { Unavailable } from '../../lib/errors.ts';

/** Longest delivery, from the look-up of the name to the end of the answer. */
const DELIVERY_MS = 15_000;
/** Longest look-up while an administrator waits. */
const LOOKUP_MS = 5000;
/** Most of an answer that is read, bytes, and for how long: its status is what counts. */
const ANSWER_MAX = 2000;
const ANSWER_MS = 2000;

const UNKNOWN_NAME = new Set(['ENOTFOUND', 'EAI_AGAIN']);

interface Answered {
  status: number;
  /** The beginning of the answer. */
  text: string;
  /** Its header, as it came. */
  retryAfter: string | undefined;
}

/** The addresses of a name. */
export type Resolve = (host: string) => Promise<{ address: string; family: number }[]>;

/** An address that is never connected to; the message is German. */
export class ForbiddenTarget extends Error {}

/** Everything else of IPv6 (mapped, NAT64, local …) is not in 2000::/3. */
const GLOBAL_IPV6: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/** Whether an address is one of the public internet: nobody's own network, nor a way into one (mapped, 6to4, NAT64, Teredo …). */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast') return false;
  return !(address instanceof ipaddr.IPv6) || address.match(GLOBAL_IPV6);
}

/** What `WEBHOOK_PRIVATE` opens beside the internet: never what is the machine's own line alone, at which clouds tell their secrets. */
const PRIVATE = new Set(['unicast', 'private', 'loopback', 'uniqueLocal', 'carrierGradeNat']);

/** Where they tell them besides, in networks and at an address like others': Alibaba's, Azure's, Amazon's, Google's. */
const CLOUDS = ['100.100.100.200/32', '168.63.129.16/32', 'fd00:ec2::/32', 'fd20:ce::/32'].map((network) => ipaddr.parseCIDR(network));

/** Whether an address is one of the internet or of somebody's own network. */
function isPrivateOrPublic(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  const isCloud = CLOUDS.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
  return PRIVATE.has(address.range()) && !isCloud;
}

const resolveBySystem: Resolve = (host) => systemLookup(host, { all: true });

/** Why there is no answer, in German, with the system's own words. */
export function troubleOf(error: unknown): string {
  if (error instanceof ForbiddenTarget) return error.message;
  const { name, message, code = '' } = error as NodeJS.ErrnoException;
  if (name === 'AbortError' || error instanceof Unavailable) return 'Die andere Seite hat nicht rechtzeitig geantwortet.';
  const what = UNKNOWN_NAME.has(code) ? 'Diesen Namen gibt es nicht' : 'Die Verbindung kam nicht zustande oder brach ab';
  // Where several addresses were tried in vain, there is no message.
  return `${what}: ${message || code}`;
}

export type Targets = ReturnType<typeof createTargets>;

/**
 * Addresses of other servers that this one connects to because somebody typed them. The check and the connection use the same addresses:
 * the name is resolved once for each connection.
 */
export function createTargets({
  allowPrivate,
  resolve = resolveBySystem,
  deliveryMs = DELIVERY_MS,
  answerMs = ANSWER_MS,
}: {
  allowPrivate: boolean;
  resolve?: Resolve | undefined;
  /** Replace the constants in tests. */
  deliveryMs?: number;
  answerMs?: number;
}) {
  const schemes = allowPrivate ? ['https:', 'http:'] : ['https:'];

  /** Throws ForbiddenTarget, and what the look-up throws. */
  async function addressesOf(url: URL): Promise<{ address: string; family: number }[]> {
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const family = isIP(host);
    const found = family === 0 ? await resolve(host) : [{ address: host, family }];
    if (found.length === 0) throw new Error('no address');
    // One private address is one too many: which one is taken is up to the network.
    if (!found.every(({ address }) => (allowPrivate ? isPrivateOrPublic : isPublicAddress)(address)))
      throw new ForbiddenTarget(
        allowPrivate
          ? 'An diese Adresse wird nie gesendet: Sie gehört zu keinem Netz, in dem ein anderes Programm steht.'
          : 'Diese Adresse führt in ein privates Netz. Das geht nur mit WEBHOOK_PRIVATE=on.',
      );
    return found;
  }

  /** Checks what somebody has typed; a German sentence about it, or null where it is fine. */
  async function mistakeIn(text: string): Promise<string | null> {
    const url = URL.canParse(text) ? new URL(text) : null;
    if (!url || !schemes.includes(url.protocol)) return 'Bitte geben Sie eine Adresse an, die mit https:// beginnt.';
    if (url.username || url.password) return 'Bitte lassen Sie Benutzername und Passwort in der Adresse weg.';
    try {
      await withDeadline(addressesOf(url), Math.min(LOOKUP_MS, deliveryMs), 'dns');
      return null;
    } catch (error) {
      return error instanceof ForbiddenTarget ? error.message : 'Diese Adresse ist gerade nicht zu finden.';
    }
  }

  /** Makes requests to the addresses of a name that were checked, and to no others. Throws ForbiddenTarget. */
  async function checked(url: URL) {
    const addresses = await withDeadline(addressesOf(url), deliveryMs, 'dns');
    const lookup: LookupFunction = (_host, { all }, done) => {
      const [first] = addresses as [{ address: string; family: number }];
      if (all) done(null, addresses);
      else done(null, first.address, first.family);
    };
    const { request } = url.protocol === 'https:' ? https : http;
    return (options: http.RequestOptions, onAnswer: (answer: http.IncomingMessage) => void): http.ClientRequest =>
      request(url, { ...options, lookup, agent: false }, onAnswer);
  }

  /** Sends a body once, follows nothing, and returns the answer. Throws what went wrong. */
  async function post(to: string, headers: Record<string, string>, body: string, outer: AbortSignal): Promise<Answered> {
    const signal = AbortSignal.any([outer, AbortSignal.timeout(deliveryMs)]);
    const request = await checked(new URL(to));
    return new Promise((settle, fail) => {
      const size = String(Buffer.byteLength(body));
      const sent = request({ method: 'POST', headers: { ...headers, 'content-length': size }, signal }, (answer) => {
        const pieces: Bytes[] = [];
        let length = 0;
        const end = (isCut = true): void => {
          clearTimeout(late);
          sent.destroy();
          const text = decodeText(Buffer.concat(pieces).subarray(0, ANSWER_MAX), isCut || length > ANSWER_MAX);
          settle({ status: answer.statusCode ?? 0, text, retryAfter: answer.headers['retry-after'] });
        };
        const late = setTimeout(end, answerMs, true);
        // What goes wrong from now on, or takes too long, does not change the status.
        sent.off('error', fail).on('error', () => end());
        answer.on('data', (piece: Bytes) => {
          pieces.push(piece);
          length += piece.length;
          if (length > ANSWER_MAX) end();
        });
        answer.on('end', () => end(false));
        answer.on('error', () => end());
      });
      sent.on('error', fail);
      sent.end(body);
    });
  }

  /** The answer of an address to GET, which is followed nowhere; null where it cannot be had. Its body, once somebody reads it, ends with `signal`. */
  async function get(url: URL, signal: AbortSignal): Promise<http.IncomingMessage | null> {
    if (!schemes.includes(url.protocol) || url.username || url.password) return null;
    const { promise, resolve } = Promise.withResolvers<http.IncomingMessage | null>();
    const request = await checked(url).catch(() => null);
    const sent = request?.({ headers: { accept: 'image/*, video/*' }, signal }, resolve);
    if (!sent) return null;
    const late = setTimeout(() => sent.destroy(), deliveryMs);
    // Also after its answer: a broken body shows where it is read.
    sent.on('error', () => resolve(null)).on('close', () => resolve(null));
    sent.end();
    return promise.finally(() => clearTimeout(late));
  }

  return { mistakeIn, post, get };
}
