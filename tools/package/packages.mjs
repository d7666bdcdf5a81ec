// Finds the npm packages that run with the service, by the lock file and the installed packages.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../lib.mjs';

const { packages: locked } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));

/** Lists the packages that the server loads: `{ path, name, version, license, integrity, contains }`, sorted by path. */
export function productionPackages() {
  return reachableFrom(['server', 'contract']);
}

/** Lists the packages whose code is in the built pages. */
export function shippedInPages() {
  return reachableFrom(['web', 'contract']);
}

function reachableFrom(workspaces) {
  const found = new Map();
  const visit = (from, { dependencies = {}, optionalDependencies = {}, peerDependencies = {} }) => {
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      const path = resolve(from, name);
      const entry = locked[path];
      // Skips optional packages for other systems, peers that nobody installed, and our own workspaces.
      if (!entry || entry.link || found.has(path) || !existsSync(join(ROOT, path))) continue;
      const { version, license = 'NOASSERTION', integrity } = entry;
      found.set(path, { path, name, version, license, integrity, contains: builtInto(path) });
      visit(path, entry);
    }
  };
  for (const workspace of workspaces) visit(workspace, { dependencies: locked[workspace].dependencies });
  return [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Returns other projects' libraries within a package, `{ name: version }`: sharp's libvips lists them. */
function builtInto(path) {
  const list = join(ROOT, path, 'versions.json');
  return existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : {};
}

/** Returns the path at which Node finds a package, seen from the folder `from`. */
function resolve(from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const path = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (locked[path] || folder === '') return path;
  }
}
