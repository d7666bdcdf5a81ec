import type { Manifest } from 'vite';

/**
 * Returns the built scripts and style sheets that source files need at once, in load order, the first file's own script first. Throws for
 * a file that was not built.
 */
export function filesOf(modules: string[], manifest: Manifest): { scripts: string[]; styles: string[] } {
  const scripts = new Set<string>();
  const styles = new Set<string>();
  const visit = (name: string): void => {
    const script = addressOf(name, manifest);
    if (scripts.has(script)) return;
    scripts.add(script);
    const { imports = [], css = [] } = manifest[name] ?? {};
    imports.forEach(visit);
    for (const file of css) styles.add(`/${file}`);
  };
  modules.forEach(visit);
  return { scripts: [...scripts], styles: [...styles] };
}

/** Returns the address of a built file by the name of its source. Throws for a file that was not built. */
export function addressOf(name: string, manifest: Manifest): string {
  const chunk = manifest[name];
  if (!chunk) throw new Error(`${name} is not in the manifest of the pages`);
  return `/${chunk.file}`;
}
