/** The fields that a file's head and the note below a sentence may have. */
const FIELDS = ['Quelle', 'Prüfungen', 'Nur'] as const;
export type Fields = Partial<Record<(typeof FIELDS)[number], string>>;

interface DraftSection {
  title: string;
  note: Fields;
  sentences: { text: string; note: Fields }[];
}

/** A file as it is written; its names are not looked up yet. */
export interface Draft {
  defaults: Fields;
  sections: DraftSection[];
}

const HEAD = /^---\n([^]*?)\n---\n/;
/** A headline or the lines of a note; both are blocks even without an empty line next to a sentence. */
const ALONE = /^## .*|(?:^>.*\n?)+/gm;
/** Unsupported Markdown: lists, tables, other headlines and code have no form in a printed paper. */
const OTHER_MARKDOWN = /^(#|[-*+|`<] ?|\d+\. )/m;

/** Returns an error about a place in a paper's file. */
export const paperFault = (file: string, place: string, what: string): Error =>
  new Error(`${file}${place && `, „${place.length > 60 ? `${place.slice(0, 60)}…` : place}“`}: ${what}`);

/**
 * Reads the Markdown of a paper (docs/papiere.md): a head, headlines of sections, a paragraph for each sentence, and below it a quotation
 * with the sentence's source, its checks and its condition. Throws for any other form.
 */
export function readPaperFile(file: string, markdown: string): Draft {
  const text = markdown.replaceAll('\r\n', '\n');
  const head = HEAD.exec(text);
  const draft: Draft = { defaults: head ? readFields(file, '', head[1]!.split('\n')) : {}, sections: [] };
  let noted: { note: Fields } | undefined;
  for (const block of text
    .slice(head?.[0].length)
    .replaceAll(ALONE, '\n\n$&\n\n')
    .split(/\n{2,}/)) {
    const lines = block
      .trim()
      .split('\n')
      .map((line) => line.trim());
    const section = draft.sections.at(-1);
    if (lines[0] === '') continue;
    if (lines[0]!.startsWith('## ')) {
      noted = { note: {} };
      draft.sections.push(Object.assign(noted, { title: lines[0]!.slice(3), sentences: [] }));
    } else if (lines[0]!.startsWith('>')) {
      const place = section?.sentences.at(-1)?.text ?? section?.title ?? '';
      if (!noted || Object.keys(noted.note).length > 0) throw paperFault(file, place, 'Diese Zeile mit „>“ gehört zu keinem Satz.');
      noted.note = readFields(
        file,
        place,
        lines.flatMap((line) => line.replace(/^> ?/, '').split(' · ')),
      );
    } else {
      const sentence = { text: lines.join(' '), note: {} };
      if (!section) throw paperFault(file, sentence.text, 'Davor fehlt eine Überschrift („## …“).');
      if (OTHER_MARKDOWN.test(block.trim()))
        throw paperFault(file, sentence.text, 'Listen, Tabellen und andere Überschriften gibt es hier nicht.');
      section.sentences.push((noted = sentence));
    }
  }
  return draft;
}

/** Reads lines of the form „Quelle: Art. 4 DSGVO“. */
function readFields(file: string, place: string, lines: string[]): Fields {
  const fields: Fields = {};
  for (const line of lines) {
    const [, name, value] = /^([^:]+): (.*\S)/.exec(line) ?? [];
    const field = FIELDS.find((one) => one === name);
    if (!field || value === undefined) throw paperFault(file, place, `„${line}“ ist keine Angabe; es gibt ${FIELDS.join(', ')}.`);
    if (field in fields) throw paperFault(file, place, `„${field}“ steht zweimal da.`);
    fields[field] = value;
  }
  return fields;
}
