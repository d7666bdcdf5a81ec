// Files on this disk. After kill -9 or a power cut each has its old content or the new one, never half of it.
import { access, constants, open, readFile, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Misconfigured } from './misconfigured.mjs';

const STATE = '.fotobox.json';
/** Errors of Windows while another program (a scanner for viruses, the screen's) has the file open. */
const HELD = new Set(['EPERM', 'EBUSY', 'EACCES']);
/** Time for which a held file is tried again, and the pause between, ms. */
const PATIENCE = 3000;
const AGAIN = 100;
/** Pause before the state is written again, ms. */
const PAUSE = 2000;

/**
 * Writes `text` by a temporary file beside it: fsync, rename, fsync of the folder. Only this user may read it. A file that another program
 * holds is tried again for `patience` ms.
 */
export async function writeAtomically(path, text, patience = PATIENCE) {
  const until = performance.now() + patience;
  for (;;) {
    try {
      return await replace(path, text);
    } catch (error) {
      if (!HELD.has(error.code) || performance.now() >= until) throw error;
    }
    await sleep(AGAIN);
  }
}

async function replace(path, text) {
  const temporary = `${path}.neu`;
  const file = await open(temporary, 'w', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
  await syncFolder(dirname(path));
}

async function syncFolder(path) {
  // Windows cannot open folders; there, the rename has to do.
  const folder = await open(path, 'r').catch(() => null);
  await folder?.sync().catch(() => undefined);
  await folder?.close();
}

/**
 * Keeps the newest link in a file for the screen. The file is only a help: while it cannot be written, which is said once, also at the
 * start, pictures go out without it.
 */
export async function openLinkFile(path, say) {
  let owed = null;
  let failing = false;
  let writing = Promise.resolve();
  const fail = ({ code }) => {
    if (!failing) say(`${path} lässt sich nicht schreiben (${code}). Die Bilder gehen trotzdem hinaus, der neueste Link folgt.`);
    failing = true;
  };
  const settle = async () => {
    if (owed === null) return;
    const link = owed;
    try {
      await writeAtomically(path, link, failing ? 0 : PATIENCE);
      failing = false;
      if (owed === link) owed = null;
    } catch (error) {
      fail(error);
    }
  };
  await access(dirname(path), constants.W_OK).catch(fail);

  return {
    /** Writes a link; without one, tries again to write the newest if that has failed. */
    write(link = owed) {
      owed = link;
      writing = writing.then(settle);
      return writing;
    },
  };
}

/**
 * Opens the memory of a folder: the Device-ID and the server that issued it, the event, the sent pictures, and the tokens of the others.
 * Throws Misconfigured if the file is damaged or belongs to another event. What is kept is written again until it is, or `signal` is
 * aborted: each `keep…` returns whether it was written.
 */
export async function openState(folder, { server, event }, { say, signal }) {
  const path = join(folder, STATE);
  const text = await readFile(path, 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  const kept = text === null ? {} : parse(text, path);
  if (kept.event && kept.event !== event) {
    throw new Misconfigured(`Der Ordner gehört schon zum Event ${kept.event}. Bitte nehmen Sie für jedes Event einen eigenen Ordner.`);
  }
  // The id is a secret between the Fotobox and one server.
  let deviceId = kept.server === server ? (kept.device_id ?? null) : null;
  const done = new Set(kept.done);
  let booth = kept.server === server ? (kept.booth ?? null) : null;
  const tokens = new Map(Object.entries(kept.tokens ?? {}));
  // The event is written with the first picture that arrives: a mistyped code must not own the folder.
  let owner = kept.event ?? null;
  let saving = Promise.resolve();
  const save = () => {
    const waiting = tokens.size > 0 && { tokens: Object.fromEntries(tokens) };
    const text = JSON.stringify({ server, device_id: deviceId, event: owner, done: [...done], ...(booth && { booth }), ...waiting });
    // Writes run one after the other, because they share a temporary file.
    saving = saving.then(() => write(text));
    return saving;
  };
  async function write(text) {
    for (let failing = false; ; failing = true) {
      try {
        await writeAtomically(path, text);
        return true;
      } catch (error) {
        if (!failing) say(`${path} lässt sich nicht schreiben (${error.code}). Bis es geht, wartet das Programm; kein Bild ist verloren.`);
      }
      await sleep(PAUSE, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return false;
    }
  }

  return {
    deviceId: () => deviceId,
    isDone: (picture) => done.has(picture.key),
    keepDeviceId(id) {
      deviceId = id;
      return save();
    },
    /** Returns the key under which tokens are made; null until the server has sent it. */
    booth: () => booth,
    keepBooth(given) {
      booth = given;
      return save();
    },
    tokenOf: ({ key }) => tokens.get(key),
    /** Keeps tokens before anybody sees them, so that a picture never gets a second one. */
    keepTokens(made) {
      for (const [{ key }, token] of made) tokens.set(key, token);
      return save();
    },
    markDone(picture) {
      done.add(picture.key);
      tokens.delete(picture.key);
      owner = event;
      return save();
    },
  };
}

function parse(text, path) {
  try {
    const state = JSON.parse(text);
    if (Array.isArray(state.done)) return state;
  } catch {
    // The error below names the file.
  }
  // A fresh start would send every picture a second time, as another device.
  throw new Misconfigured(`${path} ist beschädigt. Bitte stellen Sie die Datei wieder her, oder nehmen Sie einen neuen Ordner.`);
}
