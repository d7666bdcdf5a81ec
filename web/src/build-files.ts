import type { Manifest } from 'vite';

/** Addresses of source files' built scripts: the first one's own first, then all that they import at once. Throws for a file that was not built. */
export function scriptsOf(modules: string[], manifest: Manifest): string[] {
  const scripts = new Set<string>();
  const visit = (name: string): void => {
    const script = addressOf(name, manifest);
    if (scripts.has(script)) return;
    scripts.add(script);
    manifest[name]?.imports?.forEach(visit);
  };
  modules.forEach(visit);
  return [...scripts];
}

/** Address of a built file by the name of its source. Throws for a file that was not built. */
export function addressOf(name: string, manifest: Manifest): string {
  const chunk = manifest[name];
  if (!chunk) throw new Error(`${name} is not in the manifest of the pages`);
  return `/${chunk.file}`;
}
