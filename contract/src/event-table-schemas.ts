import { z } from 'zod';
import { TABLE_FIELDS, TABLE_QUESTIONS, type TableField, type TableQuestion } from './event-table.ts';

/** An event of a table that was read: the fields to show, and the body that creates it. */
const ImportedRow = z.object({
  /** The number of its row, as spreadsheets count, from 1. */
  line: z.number().int(),
  title: z.string(),
  /** Days as they are sent; where they are none, as they were written. */
  start_date: z.string(),
  end_date: z.string(),
  template: z.string(),
  customer: z.string(),
  order_number: z.string(),
  host_email: z.string(),
  /** By the names of the file's columns; where there is one, the event cannot be created. */
  mistakes: z.array(z.object({ column: z.string(), text: z.string() })),
  /** The code of the event that is there already, of the same title, days and order number. */
  known: z.string().nullable(),
  /** Idempotency-Key and body of `POST /admin/create_event`. */
  key: z.string(),
  event: z.record(z.string(), z.unknown()),
});
export type ImportedRow = z.infer<typeof ImportedRow>;

const tableFields = Object.keys(TABLE_FIELDS) as [TableField, ...TableField[]];
const tableQuestions = Object.keys(TABLE_QUESTIONS) as [TableQuestion, ...TableQuestion[]];

/** A table that was read. Without rows until the columns of title and beginning and the text's encoding are known. */
export const TableRead = z.object({
  columns: z.array(z.object({ name: z.string(), example: z.string(), field: z.enum(tableFields).nullable() })),
  /** The names of columns of which nothing is taken. */
  ignored: z.array(z.string()),
  rows: z.array(ImportedRow),
  /** An ambiguous part of the table: an example of it, its possible meanings, and the answer that was given. */
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
