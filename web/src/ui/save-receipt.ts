import type { Receipt } from '@feierbild/contract/receipt.ts';
import { saveFile } from './download-link.tsx';

/** The file of a receipt. */
export const receiptFile = (event: string): string => `loeschprotokoll-${event}.json`;

/** Saves a receipt as the page has it: so it is signed. */
export function saveReceipt(receipt: Receipt): void {
  saveFile(new Blob([JSON.stringify(receipt, null, 2)]), receiptFile(receipt.event));
}
