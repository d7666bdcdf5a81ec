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
/** Most bytes of an answer that are read, and for how long: only its status counts. */
const ANSWER_MAX = 2000;
const ANSWER_MS = 2000;

const UNKNOWN_NAME = new Set(['ENOTFOUND', 'EAI_AGAIN']);

interface Answered {
  status: number;
  /** The beginning of the answer. */
  text: string;
  /** The answer's Retry-After header, unparsed. */
  retryAfter: string | undefined;
}

/** Looks up the addresses of a name. */
export type Resolve = (host: string) => Promise<{ address: string; family: number }[]>;

/** An address to which no connection is made; the message is German. */
export class ForbiddenTarget extends Error {}

/** The global range of IPv6. All special addresses (mapped, NAT64, local …) lie outside of 2000::/3. */
const GLOBAL_IPV6: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/** Tells whether an address is on the public internet, and in or through no private network (mapped, 6to4, NAT64, Teredo …). */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast') return false;
  return !(address instanceof ipaddr.IPv6) || address.match(GLOBAL_IPV6);
}

/** Ranges that `WEBHOOK_PRIVATE` allows. Link-local addresses are never allowed: clouds hand out secrets there. */
const PRIVATE = new Set(['unicast', 'private', 'loopback', 'uniqueLocal', 'carrierGradeNat']);

/** Clouds' metadata addresses outside of the link-local ranges: Alibaba's, Azure's, Amazon's, Google's. */
const CLOUDS = ['100.100.100.200/32', '168.63.129.16/32', 'fd00:ec2::/32', 'fd20:ce::/32'].map((network) => ipaddr.parseCIDR(network));

/** Tells whether an address is on the internet or in a private network. */
function isPrivateOrPublic(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  const isCloud = CLOUDS.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
  return PRIVATE.has(address.range()) && !isCloud;
}

const resolveBySystem: Resolve = (host) => systemLookup(host, { all: true });

/** Describes in German why there is no answer, with the system's own words. */
export function troubleOf(error: unknown): string {
  if (error instanceof ForbiddenTarget) return error.message;
  const { name, message, code = '' } = error as NodeJS.ErrnoException;
  if (name === 'AbortError' || error instanceof Unavailable) return 'Die andere Seite hat nicht rechtzeitig geantwortet.';
  const what = UNKNOWN_NAME.has(code) ? 'Diesen Namen gibt es nicht' : 'Die Verbindung kam nicht zustande oder brach ab';
  // If all of several addresses failed, the error has no message.
  return `${what}: ${message || code}`;
}

export type Targets = ReturnType<typeof createTargets>;

/**
 * Connects to servers whose addresses somebody has typed. The check and the connection use the same addresses: the name is resolved once
 * for each connection.
 */
export function createTargets({
  allowPrivate,
  resolve = resolveBySystem,
  deliveryMs = DELIVERY_MS,
  answerMs = ANSWER_MS,
}: {
  allowPrivate: boolean;
  resolve?: Resolve | undefined;
  /** Values for tests, in place of the constants. */
  deliveryMs?: number;
  answerMs?: number;
}) {
  const schemes = allowPrivate ? ['https:', 'http:'] : ['https:'];

  /** Resolves a URL's host. Throws ForbiddenTarget, and what the look-up throws. */
  async function addressesOf(url: URL): Promise<{ address: string; family: number }[]> {
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const family = isIP(host);
    const found = family === 0 ? await resolve(host) : [{ address: host, family }];
    if (found.length === 0) throw new Error('no address');
    // One private address is one too many: the network decides which one is used.
    if (!found.every(({ address }) => (allowPrivate ? isPrivateOrPublic : isPublicAddress)(address)))
      throw new ForbiddenTarget(
        allowPrivate
          ? 'An diese Adresse wird nie gesendet: Sie gehört zu keinem Netz, in dem ein anderes Programm steht.'
          : 'Diese Adresse führt in ein privates Netz. Das geht nur mit WEBHOOK_PRIVATE=on.',
      );
    return found;
  }

  /** Checks a typed address; returns a German sentence about its mistake, or null. */
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

  /** Makes a request function that connects only to the checked addresses of a name. Throws ForbiddenTarget. */
  async function checked(url: URL) {
    // It may have been saved while WEBHOOK_PRIVATE was on.
    if (!schemes.includes(url.protocol))
      throw new ForbiddenTarget('Diese Adresse beginnt nicht mit https://. Das geht nur mit WEBHOOK_PRIVATE=on.');
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

  /** Sends a body once, follows no redirect, and returns the answer. Throws the error of a failed delivery. */
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
        // From now on an error or a delay does not change the status.
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

  /** Sends a GET and follows no redirect; null if there is no answer. Reading the answer's body ends with `signal`. */
  async function get(url: URL, signal: AbortSignal): Promise<http.IncomingMessage | null> {
    if (url.username || url.password) return null;
    const { promise, resolve } = Promise.withResolvers<http.IncomingMessage | null>();
    const request = await checked(url).catch(() => null);
    const sent = request?.({ headers: { accept: 'image/*, video/*' }, signal }, resolve);
    if (!sent) return null;
    const late = setTimeout(() => sent.destroy(), deliveryMs);
    // The listener stays after the answer, whose broken body shows where it is read.
    sent.on('error', () => resolve(null)).on('close', () => resolve(null));
    sent.end();
    return promise.finally(() => clearTimeout(late));
  }

  return { mistakeIn, post, get };
}
