import { DAY, RECORDS_KEPT } from '@feierbild/contract/constants.ts';
import type { CheckId } from '../checks.ts';
import type { Known } from '../facts.ts';

/** A sentence, where it comes from, and what it hangs on: it prints only where all of these hold. */
export type Line = readonly [text: string, source: string, ...checks: readonly [CheckId, ...CheckId[]]];

export interface PaperSection {
  title: string;
  lines: Line[];
}

/** A paper's sentences, for an installation. What does not apply to it is left out; what is not true of it stands there, and fails. */
export type PaperText = (known: Known) => PaperSection[];

/** For how long records of events that are gone are kept. */
export const MONTHS = `${Math.round(RECORDS_KEPT / (365 * DAY)) * 12} Monate`;

/** What is kept of an event once it is deleted, of every row that is: the papers say the same. */
export const KEPT_AFTER = `Nach der Löschung eines Events bleiben je ${MONTHS}: ab der Löschung sein Löschprotokoll (Zahl und Größe der Fotos und Videos) und Code, Titel, Untertitel, Tage und Einstellungen, ab ihrem Eintrag die Einträge im Protokoll der Verwaltung und ab ihrem Eingang Meldungen von Fotos.`;

/** Whether nobody else runs the server. */
export function isOwnServer({ business: { privacy, identity } }: Known): boolean {
  return privacy.hosting !== undefined && [identity.brand, identity.owner].includes(privacy.hosting.name);
}

/** Name and address in one line. */
export function operatorLine({ business: { identity } }: Known): string {
  const { brand, owner, street, zip, city } = identity;
  return `${brand}${owner === brand ? '' : ` (${owner})`}, ${street}, ${zip} ${city}`;
}

/** How the operator is reached. */
export function contactLine({ business: { contact } }: Known): string {
  return [contact.email, contact.phone?.shown].filter(Boolean).join(', ');
}

/** Who runs the server, and where. */
export function hostingLine({ business: { privacy } }: Known): string {
  const { hosting } = privacy;
  return hosting ? [hosting.name, hosting.address, hosting.country].join(', ') : 'noch nicht eingetragen';
}

/** Non-breaking where German typesetters want it. */
export function typeset(text: string): string {
  return text
    .replaceAll(/(§§?|Art\.|Abs\.|Nr\.|lit\.|Klausel|Anhang) (?=\S)/g, '$1\u00a0')
    .replaceAll(/(\d) (Tage|Stunden|Minuten|Monate|MB|GB)/g, '$1\u00a0$2')
    .replaceAll('E-Mail', 'E\u2011Mail')
    .replaceAll('IP-Adresse', 'IP\u2011Adresse');
}
