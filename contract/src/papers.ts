import { z } from 'zod';

/** What of data protection only the operator knows; what is left out is not promised in any paper. */
const text = (max: number) => z.string().trim().min(1).max(max).optional();
const company = z.object({ name: text(200), address: text(300), country: text(80) }).optional();

export const PaperSettings = z.object({
  /** Who answers questions of data protection, and is told of breaches. */
  contact: text(200),
  /** Where breaches are reported, at any hour. */
  breachPhone: text(60),
  /** Within so many hours a controller is told of a breach. */
  breachHours: z.int().min(1).max(72).optional(),
  /** So many days ahead controllers learn of a new processor. */
  objectionDays: z.int().min(7).max(90).optional(),
  /** Everybody with access is bound to confidentiality. */
  confidentiality: z.boolean().optional(),
  /** They were told the rules of data protection, and are again where these change. */
  training: z.boolean().optional(),
  /** Since when the service is in use, as typed. */
  introduced: text(60),
  /** With each processor below, and the data centre, there is a contract by Art. 28 (4). */
  contracts: z.boolean().optional(),
  /** Where we are gone or insolvent, a customer may end these contracts and have the data erased or returned: (EU) 2021/915, clause 7.7 (e). */
  beneficiary: z.boolean().optional(),
  /** The server stands in locked rooms that only named persons enter. */
  premises: z.boolean().optional(),
  processors: z.object({ storage: company, database: company, mail: company, other: company }).optional(),
  /** What a lawyer has said to the papers. */
  lawyer: text(1000),
  /** Known barriers, for the page on accessibility. */
  barriers: text(2000),
});
export type PaperSettings = z.output<typeof PaperSettings>;

/** What an AVV that was given out said of the installation; a later one says what changed. */
export const IssuedPapers = z.object({ hash: z.string(), statements: z.record(z.string(), z.string()) });

/** A question to the running system, and its answer. */
export const CheckResult = z.object({ id: z.string(), title: z.string(), ok: z.boolean(), found: z.string() });
export type CheckResult = z.infer<typeof CheckResult>;

/** A sentence holds, and prints, where none of its checks failed. */
export const Sentence = z.object({ text: z.string(), source: z.string(), failed: z.array(CheckResult) });
export const Paper = z.object({
  title: z.string(),
  source: z.string(),
  sections: z.array(z.object({ title: z.string(), sentences: z.array(Sentence) })),
  /** Sentences that do not print. */
  missing: z.int(),
  /** Of the AVV that was given out, where this is still the same; null: a draft. */
  number: z.int().nullable(),
  /** What a lawyer has said. */
  lawyer: z.string().nullable(),
  /** Of the installation's statements: another hash, another paper. */
  hash: z.string(),
  release: z.string(),
  made_at: z.iso.datetime(),
});
export type Paper = z.infer<typeof Paper>;

/** Differences between the installation and the AVV that was given out last. */
export const PaperChanges = z.array(z.object({ about: z.string(), before: z.string(), now: z.string() }));
