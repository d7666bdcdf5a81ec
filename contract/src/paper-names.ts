/** Kinds of processors; the names are the fields of `PaperSettings.processors`. */
export const PROCESSORS = { storage: 'Fotospeicher', database: 'Datenbank', mail: 'E-Mail-Versand', other: 'Weitere' } as const;

/** The papers, by the last part of their addresses. */
export const PAPERS = {
  avv: { title: 'Auftragsverarbeitung (AVV)', reader: 'Für Kunden und Gastgeber', source: 'Art. 28 Abs. 3 DSGVO' },
  tom: { title: 'Technische und organisatorische Maßnahmen', reader: 'Anlage zum AVV', source: 'Art. 32 DSGVO' },
  verzeichnis: { title: 'Verzeichnis von Verarbeitungstätigkeiten', reader: 'Für Sie und Gastgeber', source: 'Art. 30 Abs. 1 und 2 DSGVO' },
  loeschkonzept: { title: 'Löschkonzept', reader: 'Für Sie', source: 'Art. 5 Abs. 1 lit. e, Art. 17 DSGVO' },
  aushang: { title: 'Hinweis an der Tür', reader: 'Für Gäste', source: 'Art. 13 DSGVO' },
  schwellwert: { title: 'Schwellwertanalyse', reader: 'Für Sie', source: 'Art. 35 Abs. 1 DSGVO' },
  barrierefreiheit: { title: 'Barrierefreiheit', reader: 'Für alle', source: '§ 14 BFSG, Anlage 3' },
} as const;
export type PaperName = keyof typeof PAPERS;

export const isPaperName = (name: string): name is PaperName => Object.hasOwn(PAPERS, name);
