// Writes the bill of materials, as CycloneDX 1.5 in JSON (https://cyclonedx.org/docs/1.5/json/).

/** Returns the bill. `packages` are in node_modules, the code of `inPages` is in the built pages; `runtime` is Node's version. */
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

/** Libraries that sharp's list names without their prefix `lib`. */
const LIBRARIES = ['archive', 'exif', 'ffi', 'heif', 'imagequant', 'png', 'rsvg', 'tiff', 'vips', 'webp', 'xml2'];

function library(path, listed, version) {
  const name = listed === 'uhdr' ? 'libultrahdr' : `${LIBRARIES.includes(listed) ? 'lib' : ''}${listed}`;
  return { type: 'library', 'bom-ref': `${path}#${name}`, name, version, purl: `pkg:generic/${name}@${version}` };
}

function component({ path, name, version, license, integrity, contains }, place) {
  const within = Object.entries(contains).map(([listed, of]) => library(path, listed, of));
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
    ...(within.length > 0 && { components: within }),
  };
}
