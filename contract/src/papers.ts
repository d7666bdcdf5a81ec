import { z } from 'zod';

/** Facts of data protection that only the operator knows. No paper promises a missing one. */
const text = (max: number) => z.string().trim().min(1).max(max).optional();
const company = z.object({ name: text(200), address: text(300), country: text(80) }).optional();

export const PaperSettings = z.object({
  /** Contact for questions of data protection and for breaches. */
  contact: text(200),
  /** Phone for reports of breaches, at any hour. */
  breachPhone: text(60),
  /** Hours within which a controller is told of a breach. */
  breachHours: z.int().min(1).max(72).optional(),
  /** Days before a new processor starts at which controllers are told. */
  objectionDays: z.int().min(7).max(90).optional(),
  /** Everybody with access is bound to confidentiality. */
  confidentiality: z.boolean().optional(),
  /** Everybody with access was trained in data protection, and is again when its rules change. */
  training: z.boolean().optional(),
  /** Start of the service's use, as typed. */
  introduced: text(60),
  /** There is a contract by Art. 28 (4) with each processor below and the data centre. */
  contracts: z.boolean().optional(),
  /**
   * If we are gone or insolvent, a customer may end these contracts and have the data erased or returned: (EU) 2021/915, clause 7.7 (e).
   */
  beneficiary: z.boolean().optional(),
  /** The server stands in locked rooms that only named persons enter. */
  premises: z.boolean().optional(),
  processors: z.object({ storage: company, database: company, mail: company, other: company }).optional(),
  /** A lawyer's opinion on the papers. */
  lawyer: text(1000),
  /** Known barriers, for the page on accessibility. */
  barriers: text(2000),
});
export type PaperSettings = z.output<typeof PaperSettings>;

/** The statements of an issued AVV about the installation; a later one lists the changes. */
export const IssuedPapers = z.object({ hash: z.string(), statements: z.record(z.string(), z.string()) });

/** A check of the running system, and its result. */
export const CheckResult = z.object({ id: z.string(), title: z.string(), ok: z.boolean(), found: z.string() });
export type CheckResult = z.infer<typeof CheckResult>;

/** A sentence of a paper. It is true, and printed, if none of its checks failed. */
export const Sentence = z.object({ text: z.string(), source: z.string(), failed: z.array(CheckResult) });
export const Paper = z.object({
  title: z.string(),
  source: z.string(),
  sections: z.array(z.object({ title: z.string(), sentences: z.array(Sentence) })),
  /** Number of sentences that are not printed. */
  missing: z.int(),
  /** Number of the issued AVV if this one is unchanged; null: a draft. */
  number: z.int().nullable(),
  /** A lawyer's opinion. */
  lawyer: z.string().nullable(),
  /** Hash of the installation's statements. */
  hash: z.string(),
  release: z.string(),
  made_at: z.iso.datetime(),
});
export type Paper = z.infer<typeof Paper>;

/** Differences between the installation and the AVV that was given out last. */
export const PaperChanges = z.array(z.object({ about: z.string(), before: z.string(), now: z.string() }));
