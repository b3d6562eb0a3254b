import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';

/** A caption; times in seconds from the start of the video. */
export interface Cue {
  from: number;
  to: number;
  text: string;
}

/** A frame and the time from which it is shown, in seconds. */
interface Frame {
  file: string;
  at: number;
}

/** How long the last frame is shown. */
const END_SECONDS = 1.2;
const FRAMES_PER_SECOND = 12;

/** Records a page with Chromium's screencast, which sends a frame whenever something changes. */
export async function startScreencast(page: Page) {
  const folder = await mkdtemp(join(tmpdir(), 'guides-'));
  const client = await page.context().newCDPSession(page);
  const frames: Frame[] = [];
  const writing: Promise<void>[] = [];
  client.on('Page.screencastFrame', ({ data, metadata, sessionId }) => {
    const file = join(folder, `${String(frames.length).padStart(5, '0')}.jpg`);
    frames.push({ file, at: metadata.timestamp ?? Date.now() / 1000 });
    writing.push(writeFile(file, Buffer.from(data, 'base64')));
    // The page may close before the acknowledgement arrives.
    client.send('Page.screencastFrameAck', { sessionId }).catch(() => undefined);
  });
  const started = Date.now() / 1000;
  await client.send('Page.startScreencast', { format: 'jpeg', quality: 92, everyNthFrame: 1 });
  return {
    /** Seconds since the start. */
    now: () => Date.now() / 1000 - started,
    /** Writes `path.webm`, `path.mp4`, `path.vtt` and `path.png`, the poster image, taken at `posterAt`. */
    async stop(path: string, cues: readonly Cue[], posterAt: number): Promise<void> {
      await client.send('Page.stopScreencast');
      await Promise.all(writing);
      const end = Date.now() / 1000;
      const list = join(folder, 'frames.txt');
      await writeFile(list, listFrames(frames, started, end));
      const input = ['-f', 'concat', '-safe', '0', '-i', list];
      await runFfmpeg(
        ...input,
        '-vf',
        `fps=${FRAMES_PER_SECOND},scale=1280:800,format=yuv420p`,
        '-c:v',
        'libvpx-vp9',
        '-b:v',
        '0',
        '-crf',
        '42',
        '-deadline',
        'good',
        '-cpu-used',
        '4',
        '-row-mt',
        '1',
        '-g',
        '240',
        '-an',
        `${path}.webm`,
      );
      await convertToMp4(`${path}.webm`, `${path}.mp4`);
      await makePicture(
        frames.findLast(({ at }) => at <= started + posterAt)?.file ?? frames[0]!.file,
        `${path}.png`,
        640,
      );
      await writeFile(`${path}.vtt`, webVtt(cues));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** H.264, for iPads before iPadOS 17.4, which do not play WebM. */
const convertToMp4 = (from: string, to: string): Promise<void> =>
  runFfmpeg(
    '-i',
    from,
    '-c:v',
    'libx264',
    '-preset',
    'veryslow',
    '-crf',
    '30',
    '-tune',
    'animation',
    '-pix_fmt',
    'yuv420p',
    '-movflags',
    '+faststart',
    '-an',
    to,
  );

/** The frames and their durations, in the format of ffmpeg's concat demuxer. */
function listFrames(frames: readonly Frame[], started: number, end: number): string {
  const lines = frames.flatMap(({ file, at }, index) => {
    const from = index === 0 ? started : at;
    const to = frames[index + 1]?.at ?? end + END_SECONDS;
    return [`file '${file}'`, `duration ${Math.max(to - from, 0.001).toFixed(3)}`];
  });
  // The demuxer ignores the duration of the last frame.
  return `${[...lines, `file '${frames.at(-1)?.file}'`].join('\n')}\n`;
}

const clock = (seconds: number): string => new Date(Math.round(seconds * 1000)).toISOString().slice(11, 23);

const webVtt = (cues: readonly Cue[]): string =>
  `WEBVTT\n\n${cues.map(({ from, to, text }) => `${clock(from)} --> ${clock(to)}\n${text}\n`).join('\n')}`;

/** Reduces the colours of a picture, which makes it smaller but not less sharp. `width` is in pixels; by default unchanged. */
export const makePicture = (from: string, to: string, width?: number): Promise<void> =>
  runFfmpeg(
    '-i',
    from,
    '-vf',
    `${width ? `scale=${width}:-1:flags=lanczos,` : ''}split[a][b];[a]palettegen=max_colors=128:stats_mode=full[p];[b][p]paletteuse=dither=none`,
    '-frames:v',
    '1',
    '-compression_level',
    '9',
    to,
  );

/** Runs ffmpeg. Throws with its output when it fails. */
function runFfmpeg(...words: string[]): Promise<void> {
  const started = spawn('ffmpeg', ['-hide_banner', '-loglevel', 'error', '-y', ...words], {
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  let said = '';
  started.stderr.on('data', (text: Buffer) => (said += text.toString()));
  return new Promise((done, fail) => {
    started.once('error', (cause) => fail(new Error('ffmpeg is needed: apt-get install ffmpeg', { cause })));
    started.once('close', (code) => (code === 0 ? done() : fail(new Error(`ffmpeg: ${said}`))));
  });
}
