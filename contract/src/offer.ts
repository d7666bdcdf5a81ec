import { z } from 'zod';
import { RENTED, type Rented } from './rented.ts';
import { typedText } from './typed-text.ts';

const count = (least: number, most: number) => z.int().min(least).max(most);
const name = typedText(40, { missing: 'Bitte geben Sie einen Namen ein.', tooLong: 'Der Name darf höchstens 40 Zeichen haben.' });
const gigabytes = count(1, 100_000);
const share = count(0, 100);

/** Prices of the photo service, euros. Above the largest package prices are on request. */
export const Prices = z.object({
  packages: z
    .array(
      z.object({ name, price: z.number().min(0).max(100_000), photos: count(1, 10_000_000), gigabytes, popular: z.boolean().optional() }),
    )
    .min(1)
    .max(6),
  individual: z.object({ name, gigabytes }),
  /** Keeps the prices off the landing page. */
  hidden: z.boolean().optional(),
});
export type Prices = z.infer<typeof Prices>;

/** The numbers of the terms. Money in euros, shares in percent. */
export const Terms = z.object({
  /** The things that the business rents out. Default: all. */
  rented: z.record(z.enum(Object.keys(RENTED) as [Rented, ...Rented[]]), z.boolean()).optional(),
  offerValidDays: count(1, 365),
  rentalHours: count(1, 720),
  cleaning: z.object({ eurosPerHour: count(0, 1000), minimumHours: count(1, 24) }),
  /** Shares of the price due on cancellation, by its day; see `CANCELLATION_DAYS`. */
  cancellation: z.array(share).length(5),
  cocktails: z.object({
    /** Cocktails in the base package; the next one is extra. */
    included: count(1, 10_000),
    /** Least share of the planned extra cocktails that the customer agrees to take. */
    guaranteedShare: share,
    /** Share of the planned extra consumption, added to a late cancellation. */
    cancellationShare: share,
    /** Days before the start from which on `cancellationShare` applies. */
    cancellationDays: count(0, 365),
    paidDaysBefore: count(0, 365),
    billedWithinDays: count(1, 365),
  }),
});
export type Terms = z.infer<typeof Terms>;
