// Uploads the pictures of a folder and prints for each the address for the screen's QR code. The README says how to use it.
import { setTimeout as sleep } from 'node:timers/promises';
import { fetchBoothKey, fetchDeviceId, sendPicture, sendStill, unreachable } from './calls.mjs';
import { openLinkFile, openState } from './files.mjs';
import { createRefusals, takeBack, watchFolder } from './folder.mjs';
import { Misconfigured } from './misconfigured.mjs';
import { readSettings } from './settings.mjs';
import { drawStill } from './still.mjs';
import { makeToken } from './token.mjs';

/** Interval of looks into the folder, ms. */
const LOOK = 500;
/** Pause after the first failure, and the longest pause, ms. */
const PAUSE = 1000;
const PAUSE_MAX = 60_000;
/** Time for which a guest waits before the screen, ms: such pictures are sent before older ones. */
const FRESH = 120_000;
/** EX_CONFIG of sysexits.h: a restart does not help. */
const EXIT_SETTINGS = 78;

const stopping = new AbortController();
// These handlers run once, so a second signal ends the program at once.
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => stopping.abort());

try {
  await run(readSettings(process.argv.slice(2), process.env));
} catch (error) {
  stopping.abort();
  if (!(error instanceof Misconfigured)) throw error;
  say(error.message);
  process.exitCode = EXIT_SETTINGS;
}

async function run(settings) {
  const { folder, server, linkFile, linkFirst, stillMs } = settings;
  const state = await openState(folder, settings, { say, signal: stopping.signal });
  const links = linkFile && (await openLinkFile(linkFile, say));
  const pictures = watchFolder(folder, state.isDone, { stillMs });
  const refusals = createRefusals(folder);
  const pause = createPause();
  const known = new Set();
  say(`Bereit: Bilder aus ${folder} gehen an ${server}, Event ${settings.event}.`);

  const back = await takeBack(folder);
  if (back > 0) say(`Aus „abgelehnt“ zurückgelegt, um es noch einmal zu versuchen: ${back}.`);

  // Links are printed independently, so that no guest waits for one while an upload hangs.
  await Promise.all([sendAll(), linkFirst && printAll()]);
  say('Beendet. Was noch im Ordner liegt, geht beim nächsten Start hinaus.');

  async function sendAll() {
    while (!stopping.signal.aborted) {
      await links?.write();
      for (const { name, reason, moved, failed } of await refusals.setAside()) {
        const end = moved ? `Verschoben nach ${moved}` : `Verschieben lässt es sich noch nicht (${failed}).`;
        say(`${printable(name)}: abgelehnt. ${reason} ${end}`);
      }
      const found = await pictures.look().catch((error) => {
        if (!pause.running()) pause.after(`Der Ordner ist nicht lesbar (${error.code}).`);
        return [];
      });
      const open = found
        .filter((picture) => !refusals.has(picture))
        .map((picture) => ({ ...picture, token: state.tokenOf(picture) }))
        .filter(({ token }) => token || !linkFirst);
      const before = known.size;
      for (const { key } of open) known.add(key);
      if (known.size > before) pause.shorten();
      if (open.length === 0 || pause.running()) {
        await sleep(LOOK, undefined, { signal: stopping.signal }).catch(() => undefined);
        continue;
      }
      const picture = open.toSorted(urgency)[0];
      if (await send(picture)) pause.over();
    }
  }

  /** Prints the links of new pictures, the oldest first. A link shows its picture once that has arrived. */
  async function printAll() {
    const seen = watchFolder(folder, state.isDone, { stillMs });
    const printed = new Set();
    const patience = createPause();
    while (!stopping.signal.aborted) {
      if (!state.booth() && !patience.running()) await fetchBooth(patience);
      // Links cannot be made without a key.
      const found = state.booth() ? await seen.look().catch(() => []) : [];
      const fresh = found.filter(({ key }) => !printed.has(key)).toSorted((a, b) => a.mtimeMs - b.mtimeMs);
      const made = fresh.filter((picture) => !state.tokenOf(picture)).map((picture) => [picture, makeToken(state.booth())]);
      // A picture may be sent, and its token forgotten, before its link is printed.
      const tokens = new Map([...fresh.map((picture) => [picture, state.tokenOf(picture)]), ...made]);
      if (made.length > 0 && !(await state.keepTokens(made))) return;
      for (const [picture, token] of tokens) {
        printed.add(picture.key);
        await tell(addressOf(token), '', picture);
      }
      await sleep(LOOK, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  /** Fetches the key when the server can be reached for the first time, and keeps it: from then on links need no network. */
  async function fetchBooth(patience) {
    try {
      await state.keepBooth(await fetchBoothKey(settings));
    } catch (error) {
      if (error.settings) throw new Misconfigured(error.message);
      patience.after(`Für QR-Codes vor dem Hochladen muss der Server einmal erreichbar sein. ${unreachable(error)}`);
    }
  }

  function addressOf(token) {
    return `${server}/download/${token}`;
  }

  async function tell(address, expires, picture) {
    const line = [address, expires, printable(picture.name)];
    await links?.write(`${line.join('\n')}\n`);
    console.log(line.join('\t'));
  }

  /** Sends one picture; returns false if it has to wait. */
  async function send(picture) {
    try {
      if (!state.deviceId() && !(await state.keepDeviceId(await fetchDeviceId(server)))) return false;
    } catch (error) {
      pause.after(unreachable(error));
      return false;
    }
    const answer = await sendPicture(picture, settings, state.deviceId());
    switch (answer.kind) {
      case 'done': {
        if (picture.token && answer.address !== addressOf(picture.token))
          say(`${printable(picture.name)}: Der QR-Code, der schon gedruckt ist, gilt nicht. Die richtige Adresse folgt.`);
        if (answer.address !== (picture.token && addressOf(picture.token))) await tell(answer.address, answer.expires, picture);
        if (answer.still) await addStill(picture, answer.still);
        // This comes last: if the program is killed before, it sends the picture again, and the server answers with a fresh link.
        await state.markDone(picture);
        return true;
      }
      case 'refused':
        // The file may be incomplete, because it is still being written.
        refusals.add(picture, answer.reason);
        return true;
      case 'stop':
        throw new Misconfigured(`${answer.reason} Es ist nichts verloren: alle Bilder liegen noch im Ordner.`);
      case 'wait':
        if (pictures.failed(picture, answer.from)) pause.over();
        break;
      default:
    }
    pause.after(`${printable(picture.name)}: ${answer.reason}`, answer.seconds);
    return false;
  }

  /** Sends a video's still. The video is safe without it; a host's browser draws one, too. */
  async function addStill({ path, name }, address) {
    const still = await drawStill(path);
    if (still && (await sendStill(still, address, settings, state.deviceId()))) return;
    const why = still === undefined ? 'ffmpeg ist auf diesem Rechner nicht installiert' : 'das ließ sich nicht zeichnen oder nicht senden';
    say(`${printable(name)}: ist angekommen, aber ohne Standbild (${why}). Es kommt, wenn der Gastgeber das Video abspielt.`);
  }
}

/**
 * Compares pictures: fresh ones first, then those with the fewest failures, so that none blocks the others, then the oldest. One that comes
 * in parts over a line that breaks keeps its place: the server keeps 64 begun pictures of a booth, no more.
 */
function urgency(a, b) {
  const lain = ({ seen }) => Number(performance.now() - seen > FRESH);
  return lain(a) - lain(b) || a.failures - b.failures || a.mtimeMs - b.mtimeMs;
}

/** Creates pauses that double up to a minute, with jitter, so that many booths do not come back all at once. */
function createPause() {
  let failures = 0;
  let until = 0;
  let earliest = 0;
  return {
    running: () => performance.now() < until,
    /** @param seconds the server's Retry-After */
    after(reason, seconds = 0) {
      const length = Math.min(PAUSE_MAX, PAUSE * 2 ** failures++) * (0.5 + Math.random() / 2);
      earliest = performance.now() + seconds * 1000;
      until = Math.max(earliest, performance.now() + length);
      say(`${reason} Nächster Versuch in ${Math.ceil((until - performance.now()) / 1000)} s.`);
    },
    /** Ends the pause for a new picture, unless the server asked for time. */
    shorten() {
      until = earliest;
    },
    over() {
      failures = 0;
      until = 0;
    },
  };
}

function printable(name) {
  return name.replace(/\p{Cc}/gu, '?');
}

/** Prints to stderr, because stdout is for the addresses. */
function say(text) {
  console.error(`${new Date().toISOString()} ${text}`);
}
