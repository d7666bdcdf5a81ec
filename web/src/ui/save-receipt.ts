import type { Receipt } from '@feierbild/contract/receipt.ts';
import { saveFile } from './download-link.tsx';

/** Returns the file name of a receipt. */
export const receiptFile = (event: string): string => `loeschprotokoll-${event}.json`;

/** Saves a receipt exactly as the page received it, because it is signed. */
export function saveReceipt(receipt: Receipt): void {
  saveFile(new Blob([JSON.stringify(receipt, null, 2)]), receiptFile(receipt.event));
}
