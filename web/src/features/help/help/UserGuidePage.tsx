import { IconArrowLeft, IconArrowRight, IconPlayerPlay } from '@tabler/icons-react';
import { Button } from '../../../ui/Button.tsx';
import { useEffect, useState } from 'react';
import { Link } from '../../../ui/Link.tsx';
import { useLocation, useNavigate, useParams } from '../../../shared/router.ts';
import { paths } from '../../../paths.ts';
import { ButtonLink } from '../../../ui/ButtonLink.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import css from './UserGuidePage.module.css';
import { Blocks, TEXT_STYLE } from './components/Blocks.tsx';
import { VideoDialog } from './components/VideoDialog.tsx';
import { findGuideItem, findVideo, firstPlace, type GuidePlace, pictures, tabs } from './model/help.ts';
import { fillIn } from '../../../shared/product.ts';

const CRUMBS = [{ text: 'Help and support', to: paths.overview() }];
const urlOf = ({ tab, item }: GuidePlace) => paths.userGuideItem(tab.id, item.id);

/** One section of the user guide, beside a list of all sections. The first section without an ID in the URL. */
export default function UserGuidePage() {
  const { tabId = firstPlace.tab.id, itemId = firstPlace.item.id } = useParams();
  const { hash } = useLocation();
  const navigate = useNavigate();
  const guidePage = findGuideItem(itemId);
  const movedTo = guidePage && guidePage.tab.id !== tabId ? urlOf(guidePage) + hash : null;
  // The section is shown at an old URL too, so that a bookmark works without scripts.
  useEffect(() => {
    if (movedTo !== null) void navigate(movedTo, { replace: true });
  }, [movedTo, navigate]);
  if (!guidePage)
    return (
      <>
        <PageHeader title="Section not found" crumbs={[...CRUMBS, { text: 'User guide', to: paths.userGuide() }]} />
        <p>The user guide does not have this section. It may have been renamed.</p>
        <ButtonLink to={paths.userGuide()}>Go to the user guide</ButtonLink>
      </>
    );
  const { tab, item, previous, next } = guidePage;
  return (
    <>
      <PageHeader title={fillIn(item.title)} crumbs={[...CRUMBS, { text: 'User guide', to: paths.userGuide() }]} />
      <nav className={`${css.tabs} no-print`} aria-label="Parts of the user guide">
        <ul className="plain">
          {tabs.map((part) => (
            <li key={part.id}>
              <Link
                to={paths.userGuideItem(part.id, part.items[0]!.id)}
                aria-current={part.id === tab.id ? 'true' : undefined}
              >
                {part.title}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className={css.columns}>
        <nav className={`sticky-column ${css.sections} no-print`} aria-label={tab.title}>
          <ol className="plain">
            {tab.items.map((section) => (
              <li key={section.id}>
                <Link
                  to={paths.userGuideItem(tab.id, section.id)}
                  aria-current={section.id === item.id ? 'page' : undefined}
                >
                  {fillIn(section.title)}
                </Link>
              </li>
            ))}
          </ol>
        </nav>
        <div>
          <article key={item.id} className={TEXT_STYLE}>
            <Video id={item.video} />
            <Blocks blocks={item.blocks} picture={(name, alt) => <GuidePicture name={name} alt={alt} />} />
          </article>
          <nav className={`${css.steps} no-print`} aria-label="Previous and next section">
            {previous && (
              <Link to={urlOf(previous)} rel="prev">
                <IconArrowLeft size={20} aria-hidden />
                <span>
                  <small>Previous</small>
                  {fillIn(previous.item.title)}
                </span>
              </Link>
            )}
            {next && (
              <Link to={urlOf(next)} rel="next" className={css.next}>
                <span>
                  <small>Next</small>
                  {fillIn(next.item.title)}
                </span>
                <IconArrowRight size={20} aria-hidden />
              </Link>
            )}
          </nav>
        </div>
      </div>
    </>
  );
}

/** A button for the section's video, if there is one. */
function Video({ id }: { id: string | null }) {
  const [isOpen, setOpen] = useState(false);
  const video = findVideo(id);
  if (!video) return null;
  return (
    <>
      <Button
        variant="default"
        className="below-xl no-print"
        leftSection={<IconPlayerPlay size={20} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        Watch the video
      </Button>
      <VideoDialog video={isOpen ? video : null} onClose={() => setOpen(false)} />
    </>
  );
}

/** A picture of a screen, with its size so that nothing moves when it loads. */
function GuidePicture({ name, alt }: { name: string; alt: string }) {
  const picture = pictures[name];
  return picture ? (
    <figure className={css.picture}>
      <img src={picture.src} width={picture.width} height={picture.height} alt={alt} loading="lazy" decoding="async" />
    </figure>
  ) : null;
}
