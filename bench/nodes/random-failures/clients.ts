import { setTimeout as pause } from 'node:timers/promises';
import { isAccepted, type Answer, type Ask, type Question } from './ask.ts';
import type { Findings } from './findings.ts';
import type { Ledger } from './ledger.ts';

/** Tools that all clients share. */
export interface ClientContext {
  ask: Ask;
  ledger: Ledger;
  findings: Findings;
  /** False: each client finishes its work and begins nothing new. */
  working(): boolean;
  /** A small picture. */
  base: Buffer;
}

const RETRY_MS = 300;

/** Asks until the question succeeds, or gets a refusal that it accepts. */
export async function askUntilAnswered(ask: Ask, question: Question): Promise<Answer> {
  for (;;) {
    const answer = await ask(question);
    if (answer.ok || isAccepted(question, answer.code ?? answer.status)) return answer;
    await pause(RETRY_MS);
  }
}

/** Makes a page's request with a JSON body. */
export function withJson(body: unknown, headers: Record<string, string> = {}): { headers: Record<string, string>; body: Buffer } {
  return {
    headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json', ...headers },
    body: Buffer.from(JSON.stringify(body)),
  };
}

/** Returns the cookies that an answer sets, as a browser sends them back. */
export function cookieOf({ headers }: Answer): string {
  return (headers['set-cookie'] ?? []).map((line) => line.split(';')[0]).join('; ');
}
