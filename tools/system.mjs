// Supplies what npm does not bring: installs Debian's packages as root; elsewhere returns the line that names them.
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';

/** Libraries beyond glibc that the runtime and sharp load (`ldd` of both), and their packages. */
const LIBRARIES = {
  'libatomic.so.1': { apt: 'libatomic1', dnf: 'libatomic', apk: 'libatomic' },
  'libstdc++.so.6': { apt: 'libstdc++6', dnf: 'libstdc++', apk: 'libstdc++' },
  'libgcc_s.so.1': { apt: 'libgcc-s1', dnf: 'libgcc', apk: 'libgcc' },
};

/** Packages can be installed here: root on Debian or Ubuntu. */
export const canInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');

/** Installs Debian's packages, as far as this system has them. */
export function installPackages(names) {
  const apt = (...args) =>
    spawnSync('apt-get', ['-qq', '-o', 'Dpkg::Use-Pty=0', ...args], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      stdio: ['ignore', 'ignore', 'inherit'],
    }).status;
  // Debian starts the services of installed packages unless this file forbids it.
  const policy = '/usr/sbin/policy-rc.d';
  const own = !existsSync(policy);
  if (own) writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    apt('update');
    // If all together fail, each is installed alone: a package that this system lacks must not prevent the others.
    if (apt('install', '-y', '--no-install-recommends', ...names) !== 0)
      for (const name of names) apt('install', '-y', '--no-install-recommends', name);
  } finally {
    if (own) rmSync(policy);
  }
}

/** Supplies the libraries of `program`, if that is possible here. Returns null, or a German line with the remedy. */
export function supplyLibraries(program) {
  let missing = missingLibraries(program);
  if (missing.length > 0 && canInstall) {
    const packages = missing.map((library) => LIBRARIES[library]?.apt).filter(Boolean);
    console.log(`Installiere für die mitgebrachte Laufzeit: ${packages.join(' ')}`);
    installPackages(packages);
    missing = missingLibraries(program);
  }
  return missing.length > 0 ? advice(missing) : null;
}

/** Lists missing libraries by the loader's own account, as `ldd` does. A system with another C library cannot even begin. */
function missingLibraries(program) {
  if (process.platform !== 'linux' || !existsSync(program)) return [];
  const { stdout, error } = spawnSync(program, { encoding: 'utf8', env: { ...process.env, LD_TRACE_LOADED_OBJECTS: '1' } });
  if (error) return ['glibc'];
  return [...stdout.matchAll(/^\s*(\S+) => not found$/gm)].map(([, library]) => library);
}

function advice(missing) {
  if (missing.includes('glibc'))
    return 'Die mitgebrachte Laufzeit braucht glibc, die dieses System nicht hat (Alpine zum Beispiel hat musl): Nehmen Sie Debian, Ubuntu oder Fedora.';
  const by = (manager) => missing.map((library) => LIBRARIES[library]?.[manager] ?? library).join(' ');
  return `Der mitgebrachten Laufzeit fehlt ${missing.join(', ')}. Bitte als root installieren: apt-get install ${by('apt')} (Debian, Ubuntu), dnf install ${by('dnf')} (Fedora, RHEL) oder apk add ${by('apk')} (Wolfi).`;
}
