// The bill of materials, as CycloneDX 1.5 in JSON (https://cyclonedx.org/docs/1.5/json/).

/** `packages` are in node_modules, the code of `inPages` is in the built pages; `runtime` is Node's version. */
export function bill({ version, runtime, packages, inPages }) {
  const paths = new Set(packages.map(({ path }) => path));
  const components = [
    {
      type: 'application',
      'bom-ref': `node@${runtime}`,
      name: 'node',
      version: runtime,
      purl: `pkg:generic/node@${runtime}`,
      licenses: [{ license: { id: 'MIT' } }],
    },
    ...packages.map((one) => component(one, one.path)),
    ...inPages.filter(({ path }) => !paths.has(path)).map((one) => component(one, 'web/dist')),
  ];
  const metadata = {
    component: { type: 'application', 'bom-ref': 'feierbild', name: 'feierbild', version, licenses: [{ license: { id: 'MIT' } }] },
  };
  return `${JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.5', version: 1, metadata, components }, null, 2)}\n`;
}

function component({ path, name, version, license, integrity }, place) {
  const [scope, short] = name.startsWith('@') ? name.split('/') : [null, name];
  return {
    type: 'library',
    'bom-ref': path,
    ...(scope && { group: scope }),
    name: short,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    licenses: [/ (AND|OR|WITH) |^\(/.test(license) ? { expression: license } : { license: { id: license } }],
    ...(integrity && { hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex') }] }),
    properties: [{ name: 'feierbild:place', value: place }],
  };
}
