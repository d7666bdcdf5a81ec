import { useRef } from 'react';

const KEY_BYTES = 16;

/** Makes a new Idempotency-Key. */
export const newSendKey = (): string => btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(KEY_BYTES))));

/** Keeps the Idempotency-Key of a form that creates one thing after another: the same for the same content, until it was answered. */
export function useSendKey(): { keyFor(body: object): string; answered(): void } {
  const last = useRef<{ content: string; key: string } | null>(null);
  return {
    keyFor(body) {
      const content = JSON.stringify(body);
      if (last.current?.content !== content) last.current = { content, key: newSendKey() };
      return last.current.key;
    },
    answered() {
      last.current = null;
    },
  };
}
