import { SaxesParser } from 'saxes';
import { escapeMarkup } from '../../http/errors.ts';
import { Refusal } from '../../lib/errors.ts';

/** Of a body: deeper or longer ones no client sends. */
const DEPTH = 16;
const ELEMENTS = 500;
/** Of all properties that a body names, as they are answered, characters: each file's answer repeats them. */
const NAMED = 4000;

/** A property by namespace and local name. */
export interface Prop {
  uri: string;
  local: string;
}

/** What is known of a file or folder. */
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
 * The properties that a body names in its `DAV:prop`; null where it names none (`allprop`, or no body). A document type, and with it every
 * entity of its own, is refused. Throws Refusal invalid_input.
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
const FOUND = 'HTTP/1.1 200 OK';
const MISSING = 'HTTP/1.1 404 Not Found';

/** A 207 that answers for each file the wanted properties, or all that there are. */
export function multistatus(shown: readonly Shown[], wanted: readonly Prop[] | null): string {
  return document(shown.map((one) => response(one, wanted)).join(''));
}

/** A 207 that takes every property for set: none is kept. */
export function allSet(href: string, props: readonly Prop[]): string {
  return document(`<D:response><D:href>${href}</D:href>${propstat(FOUND, props.map((prop) => element(prop, '')).join(''))}</D:response>`);
}

/** An answer to LOCK. The lock holds nothing: a booth's files are its own. */
export function lockAnswer(href: string, token: string, seconds: number): string {
  return `${HEAD}<D:prop xmlns:D="DAV:"><D:lockdiscovery><D:activelock><D:locktype><D:write/></D:locktype><D:lockscope><D:exclusive/></D:lockscope><D:depth>0</D:depth><D:timeout>Second-${seconds}</D:timeout><D:locktoken><D:href>${escapeMarkup(token)}</D:href></D:locktoken><D:lockroot><D:href>${href}</D:href></D:lockroot></D:activelock></D:lockdiscovery></D:prop>\n`;
}

const document = (responses: string): string => `${HEAD}<D:multistatus xmlns:D="DAV:">${responses}</D:multistatus>\n`;
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
