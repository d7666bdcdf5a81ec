import { z } from 'zod';
import { RENTED, type Rented } from './rented.ts';
import { typedText } from './typed-text.ts';

const count = (least: number, most: number) => z.int().min(least).max(most);
const name = typedText(40, { missing: 'Bitte geben Sie einen Namen ein.', tooLong: 'Der Name darf höchstens 40 Zeichen haben.' });
const gigabytes = count(1, 100_000);
const share = count(0, 100);

/** What the photo service costs: the packages, euros; above the largest one prices are asked for. */
export const Prices = z.object({
  packages: z
    .array(
      z.object({ name, price: z.number().min(0).max(100_000), photos: count(1, 10_000_000), gigabytes, popular: z.boolean().optional() }),
    )
    .min(1)
    .max(6),
  individual: z.object({ name, gigabytes }),
  /** They are not on the landing page. */
  hidden: z.boolean().optional(),
});
export type Prices = z.infer<typeof Prices>;

/** The numbers of the terms. Money in euros, shares in percent. */
export const Terms = z.object({
  /** What of it the business rents out; without this all. */
  rented: z.record(z.enum(Object.keys(RENTED) as [Rented, ...Rented[]]), z.boolean()).optional(),
  offerValidDays: count(1, 365),
  rentalHours: count(1, 720),
  cleaning: z.object({ eurosPerHour: count(0, 1000), minimumHours: count(1, 24) }),
  /** Of the price, by when it is cancelled; see `CANCELLATION_DAYS`. */
  cancellation: z.array(share).length(5),
  cocktails: z.object({
    /** Of the base package; extra ones count from the next. */
    included: count(1, 10_000),
    /** The customer must take at least this share of the extra ones. */
    guaranteedShare: share,
    /** Of the planned extra consumption, added to a late cancellation. */
    cancellationShare: share,
    /** Days before the start from which it applies. */
    cancellationDays: count(0, 365),
    paidDaysBefore: count(0, 365),
    billedWithinDays: count(1, 365),
  }),
});
export type Terms = z.infer<typeof Terms>;
