import { z } from 'zod';
import { TITLE_LENGTH } from './constants.ts';
import { PLAIN_EVENT, TEMPLATES_MAX } from './event-templates.ts';
import { typedText } from './typed-text.ts';

const { subtitle: _, ...switches } = PLAIN_EVENT;
const flags = Object.fromEntries(Object.entries(switches).map(([name, on]) => [name, z.boolean().default(on)])) as {
  [name in keyof typeof switches]: z.ZodDefault<z.ZodBoolean>;
};

const EventTemplate = z.object({
  name: typedText(40, { missing: 'Bitte geben Sie einen Namen ein.', tooLong: 'Der Name darf höchstens 40 Zeichen haben.' }),
  subtitle: typedText(TITLE_LENGTH, { tooLong: `Der Untertitel darf höchstens ${TITLE_LENGTH} Zeichen lang sein.` }).default(''),
  ...flags,
  storage_limit: z
    .number({ error: 'Bitte geben Sie eine Zahl in GB ein.' })
    .refine((limit) => limit > 0 && limit <= 1_000_000, 'Bitte geben Sie eine Zahl größer als 0 ein.')
    .nullable()
    .default(null),
});

/** The section `templates` of the operator's settings. */
export const Templates = z
  .object({ templates: z.array(EventTemplate).min(1, 'Es braucht wenigstens eine Vorlage.').max(TEMPLATES_MAX) })
  .superRefine(({ templates }, context) => {
    const names = templates.map(({ name }) => name.toLowerCase());
    names.forEach((name, n) => {
      if (names.indexOf(name) < n)
        context.addIssue({ code: 'custom', path: ['templates', n, 'name'], message: 'So heißt schon eine andere Vorlage.' });
    });
  });
