import { IconPlayerPlayFilled } from '@tabler/icons-react';
import { useSearchParams } from '../../../shared/router.ts';
import { paths } from '../../../paths.ts';
import { useUpdateSearchParams } from '../../../shared/use-update-search-params.ts';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { Tiles } from '../../../ui/Tiles.tsx';
import css from './VideoGuidesPage.module.css';
import { VideoDialog } from './components/VideoDialog.tsx';
import { findVideo, videoSets } from './model/help.ts';

/** The video guides. The one that plays is in the URL. */
export default function VideoGuidesPage() {
  const [query] = useSearchParams();
  const update = useUpdateSearchParams();
  const playing = findVideo(query.get('video'));
  return (
    <>
      <PageHeader
        title="Video guides"
        crumbs={[{ text: 'Help and support', to: paths.overview() }]}
        lead="Each video shows one task in less than a minute. There is no sound. Captions explain what happens."
      />
      {videoSets.map(({ title, videos }) => (
        <section key={title} aria-labelledby={title.replaceAll(' ', '-')} className="below-3xl">
          <h2 id={title.replaceAll(' ', '-')}>{title}</h2>
          <Tiles minWidth="16rem">
            {videos.map(({ id, title: name, summary }) => {
              const recorded = findVideo(id);
              return (
                <li key={id}>
                  <button
                    type="button"
                    className={css.video}
                    disabled={!recorded}
                    onClick={() => update({ video: id })}
                  >
                    <span className={css.poster}>
                      {recorded && <img src={recorded.poster} alt="" loading="lazy" decoding="async" />}
                      <IconPlayerPlayFilled size={28} aria-hidden />
                    </span>
                    <strong>{name}</strong>
                    <span className={`soft small block ${css.summary}`}>{summary}</span>
                  </button>
                </li>
              );
            })}
          </Tiles>
        </section>
      ))}
      <VideoDialog video={playing ?? null} onClose={() => update({ video: null }, { replace: true })} />
    </>
  );
}
