import { useState } from 'react';
import { staticFile } from '../../../../shared/product.ts';
import type { findVideo } from '../model/help.ts';
import { Dialog } from '../../../../ui/Dialog.tsx';
import { Notice } from '../../../../ui/Notice.tsx';
import css from './VideoDialog.module.css';

type RecordedVideo = NonNullable<ReturnType<typeof findVideo>>;

interface Props {
  video: RecordedVideo | null;
  onClose: () => void;
}

/** Plays a video of the guide, with its captions, and lists its steps. */
export const VideoDialog = ({ video, onClose }: Props) => (
  <Dialog isOpen={video !== null} onClose={onClose} title={video?.title ?? ''} size="xl">
    {video && <VideoPlayer key={video.id} video={video} />}
  </Dialog>
);

function VideoPlayer({ video }: { video: RecordedVideo }) {
  const [hasFailed, setFailed] = useState(false);
  const isElsewhere = staticFile('') !== undefined;
  const webm = staticFile(`videos/${video.id}.webm`) ?? video.webm;
  const mp4 = staticFile(`videos/${video.id}.mp4`) ?? video.mp4;
  return (
    <>
      {hasFailed ? (
        <Notice kind="error">
          This browser could not play the video. The steps are below, or you can{' '}
          <a href={mp4} download>
            download the video
          </a>
          .
        </Notice>
      ) : (
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
          <source src={webm} type="video/webm" />
          {/* An error of the last source means that none can be played. */}
          <source src={mp4} type="video/mp4" onError={() => setFailed(true)} />
          <track
            kind="captions"
            srcLang="en-GB"
            label="English"
            src={staticFile(`videos/${video.id}.vtt`) ?? video.captions}
            default
          />
        </video>
      )}
      <p className="note">{video.summary}</p>
      <details className={css.steps} open={hasFailed}>
        <summary>Steps as text</summary>
        <ol>
          {video.transcript.map((step, index) => (
            <li key={index}>{step}</li>
          ))}
        </ol>
      </details>
    </>
  );
}
