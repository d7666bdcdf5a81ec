/** Replaces spaces and hyphens by non-breaking ones where German typography wants them. */
export function typeset(text: string): string {
  return text
    .replaceAll(/(§§?|Art\.|Abs\.|Nr\.|lit\.|Klausel|Anhang) (?=\S)/g, '$1\u00a0')
    .replaceAll(/(\d) (Tage|Stunden|Minuten|Monate|MB|GB)/g, '$1\u00a0$2')
    .replaceAll('E-Mail', 'E\u2011Mail')
    .replaceAll('IP-Adresse', 'IP\u2011Adresse');
}
