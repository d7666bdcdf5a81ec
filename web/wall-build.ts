import { build, type CSSModulesOptions, type Plugin } from 'vite';

/** LG's televisions of 2020 have Chromium 68, which knows most features of 2018. */
const TELEVISIONS = ['chrome68', 'es2018'];
const ENTRY = 'src/wall.ts';
/** Name of the wall's style sheet in the manifest of the pages. */
export const WALL_STYLES = 'src/wall.css';

interface Shared {
  root: string;
  plugins: Plugin[];
  modules: CSSModulesOptions;
}

/**
 * Builds the wall's entry apart from all others, because televisions have older browsers: one script, one style sheet, nothing shared.
 * Its files are part of the pages' build, whose manifest names them.
 */
export const wallBuild = ({ root, plugins, modules }: Shared): Plugin => ({
  name: 'wall-build',
  apply: (_config, { command, isSsrBuild }) => command === 'build' && isSsrBuild !== true,
  async buildStart() {
    const built = await build({
      configFile: false,
      root,
      logLevel: 'error',
      plugins,
      css: { modules },
      build: {
        write: false,
        target: TELEVISIONS,
        assetsInlineLimit: 0,
        modulePreload: false,
        rolldownOptions: { input: ENTRY, output: { codeSplitting: false } },
      },
    });
    for (const file of [built].flat().flatMap((each) => ('output' in each ? each.output : []))) {
      const isScript = file.type === 'chunk';
      if (isScript) for (const id of file.moduleIds) if (!id.startsWith('\0')) this.addWatchFile(id.split('?')[0] ?? id);
      const name = isScript ? ENTRY : file.fileName.endsWith('.css') ? WALL_STYLES : undefined;
      const source = isScript ? file.code : file.source;
      this.emitFile({ type: 'asset', fileName: file.fileName, source, ...(name && { name, originalFileName: name }) });
    }
  },
});
