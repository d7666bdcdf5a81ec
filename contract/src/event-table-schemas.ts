import { z } from 'zod';
import { TABLE_FIELDS, TABLE_QUESTIONS, type TableField, type TableQuestion } from './event-table.ts';

/** One event of an imported table: the fields to show, and the body that creates it. */
const ImportedRow = z.object({
  /** Row number as in spreadsheets, from 1. */
  line: z.number().int(),
  title: z.string(),
  /** Days as the API takes them; text that is no day stays as it was written. */
  start_date: z.string(),
  end_date: z.string(),
  template: z.string(),
  customer: z.string(),
  order_number: z.string(),
  host_email: z.string(),
  /** Mistakes by column names of the file. A row with mistakes creates no event. */
  mistakes: z.array(z.object({ column: z.string(), text: z.string() })),
  /** Code of an existing event with the same title, days and order number. */
  known: z.string().nullable(),
  /** Idempotency-Key and body of `POST /admin/create_event`. */
  key: z.string(),
  event: z.record(z.string(), z.unknown()),
});
export type ImportedRow = z.infer<typeof ImportedRow>;

const tableFields = Object.keys(TABLE_FIELDS) as [TableField, ...TableField[]];
const tableQuestions = Object.keys(TABLE_QUESTIONS) as [TableQuestion, ...TableQuestion[]];

/** An imported table. It has no rows until the encoding and the columns of title and beginning are known. */
export const TableRead = z.object({
  columns: z.array(z.object({ name: z.string(), example: z.string(), field: z.enum(tableFields).nullable() })),
  /** Names of columns that the import ignores. */
  ignored: z.array(z.string()),
  rows: z.array(ImportedRow),
  /** Ambiguities of the table: an example, its possible meanings, and the given answer. */
  questions: z.array(
    z.object({
      question: z.enum(tableQuestions),
      example: z.string(),
      options: z.array(z.object({ value: z.string(), text: z.string() })),
      answer: z.string().nullable(),
    }),
  ),
});
export type TableRead = z.infer<typeof TableRead>;
