import { staticFile } from '../model/static-files.ts';
import type { findVideo } from '../model/help.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import css from './VideoDialog.module.css';

type RecordedVideo = NonNullable<ReturnType<typeof findVideo>>;

/** Plays a video of the guide, with its captions. */
export function VideoDialog({ video, onClose }: { video: RecordedVideo | null; onClose: () => void }) {
  const isElsewhere = staticFile('') !== undefined;
  return (
    <Dialog isOpen={video !== null} onClose={onClose} title={video?.title ?? ''} size="xl">
      {video && (
        <>
          <video
            className={css.video}
            controls
            autoPlay
            // The video has no sound. Muted, because browsers start only muted videos by themselves.
            muted
            playsInline
            poster={video.poster}
            {...(isElsewhere && { crossOrigin: 'anonymous' as const })}
          >
            <source src={staticFile(`videos/${video.id}.webm`) ?? video.src} type="video/webm" />
            <track
              kind="captions"
              srcLang="en-GB"
              label="English"
              src={staticFile(`videos/${video.id}.vtt`) ?? video.captions}
              default
            />
          </video>
          <p className={css.summary}>{video.summary}</p>
        </>
      )}
    </Dialog>
  );
}
