import { SaxesParser } from 'saxes';
import { escapeMarkup } from '../../http/errors.ts';
import { Refusal } from '../../lib/errors.ts';

/** Most levels and elements of a body; real clients send less. */
const DEPTH = 16;
const ELEMENTS = 500;
/** Most characters of all properties that a body names, in their answered form; each file's answer repeats them. */
const NAMED = 4000;
/** Files of a piece of an answer. */
const PIECE_FILES = 100;

/** A property by namespace and local name. */
export interface Prop {
  uri: string;
  local: string;
}

/** A file or folder in an answer. */
export interface Shown {
  /** Path on this server, percent-encoded. */
  href: string;
  size: number;
  /** Ms since 1970. */
  modified: number;
  etag: string;
  folder: boolean;
}

/**
 * Reads the properties that a body names in its `DAV:prop`; null if it names none (`allprop`, or no body). Refuses a document type, and so
 * every custom entity. Throws Refusal `invalid_input`.
 */
export function readProps(xml: string): Prop[] | null {
  if (xml.trim() === '') return null;
  const parser = new SaxesParser({ xmlns: true });
  const [open, props]: [Prop[], Prop[]] = [[], []];
  let elements = 0;
  let named = 0;
  parser.on('error', refuse);
  parser.on('doctype', refuse);
  parser.on('opentag', ({ uri, local }) => {
    const parent = open.at(-1);
    if (open.push({ uri, local }) > DEPTH || ++elements > ELEMENTS) refuse();
    if (parent?.uri !== 'DAV:' || parent.local !== 'prop') return;
    named += element({ uri, local }, '').length;
    if (named > NAMED) refuse();
    props.push({ uri, local });
  });
  parser.on('closetag', () => void open.pop());
  try {
    parser.write(xml).close();
  } catch (cause) {
    throw new Refusal('invalid_input', { cause });
  }
  return props.length > 0 ? props : null;
}

function refuse(): never {
  throw new Refusal('invalid_input');
}

const HEAD = '<?xml version="1.0" encoding="utf-8"?>\n';
const HEAD_OF_ALL = `${HEAD}<D:multistatus xmlns:D="DAV:">`;
const END_OF_ALL = '</D:multistatus>\n';
const FOUND = 'HTTP/1.1 200 OK';
const MISSING = 'HTTP/1.1 404 Not Found';

/**
 * Yields a 207 answer with the wanted properties of each file, or with all if `wanted` is null. It comes in pieces, because a whole one of
 * ten thousand files would hold up all other requests.
 */
export function* multistatus(shown: readonly Shown[], wanted: readonly Prop[] | null): Generator<string> {
  yield HEAD_OF_ALL;
  for (let from = 0; from < shown.length; from += PIECE_FILES)
    yield shown
      .slice(from, from + PIECE_FILES)
      .map((one) => response(one, wanted))
      .join('');
  yield END_OF_ALL;
}

/** Builds a 207 answer that reports every property as set; none is stored. */
export function allSet(href: string, props: readonly Prop[]): string {
  const set = props.map((prop) => element(prop, '')).join('');
  return `${HEAD_OF_ALL}<D:response><D:href>${href}</D:href>${propstat(FOUND, set)}</D:response>${END_OF_ALL}`;
}

/** Builds an answer to LOCK. The lock has no effect, as a booth's files are its own. */
export function lockAnswer(href: string, token: string, seconds: number): string {
  return `${HEAD}<D:prop xmlns:D="DAV:"><D:lockdiscovery><D:activelock><D:locktype><D:write/></D:locktype><D:lockscope><D:exclusive/></D:lockscope><D:depth>0</D:depth><D:timeout>Second-${seconds}</D:timeout><D:locktoken><D:href>${escapeMarkup(token)}</D:href></D:locktoken><D:lockroot><D:href>${href}</D:href></D:lockroot></D:activelock></D:lockdiscovery></D:prop>\n`;
}

const propstat = (status: string, props: string): string =>
  props && `<D:propstat><D:prop>${props}</D:prop><D:status>${status}</D:status></D:propstat>`;
const element = ({ uri, local }: Prop, content: string): string =>
  uri === 'DAV:' ? `<D:${local}>${content}</D:${local}>` : `<${local} xmlns="${escapeMarkup(uri)}">${content}</${local}>`;

function response({ href, size, modified, etag, folder }: Shown, wanted: readonly Prop[] | null): string {
  const date = new Date(modified);
  const values: Record<string, string> = {
    resourcetype: folder ? '<D:collection/>' : '',
    getlastmodified: date.toUTCString(),
    creationdate: date.toISOString(),
    supportedlock: '<D:lockentry><D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/></D:locktype></D:lockentry>',
    lockdiscovery: '',
    ...(!folder && { getcontentlength: String(size), getetag: escapeMarkup(`"${etag}"`), getcontenttype: 'application/octet-stream' }),
  };
  const all = wanted ?? Object.keys(values).map((local) => ({ uri: 'DAV:', local }));
  const isKnown = ({ uri, local }: Prop): boolean => uri === 'DAV:' && Object.hasOwn(values, local);
  const known = all.filter(isKnown).map((prop) => element(prop, values[prop.local] as string));
  const unknown = all.filter((prop) => !isKnown(prop)).map((prop) => element(prop, ''));
  return `<D:response><D:href>${href}</D:href>${propstat(FOUND, known.join(''))}${propstat(MISSING, unknown.join(''))}</D:response>`;
}
