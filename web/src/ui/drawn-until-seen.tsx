import {
  type ComponentType,
  lazy,
  startTransition,
  Suspense,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { isFirstDrawing } from '../shared/page-scope.ts';
import { whenIdle } from './when-idle.ts';

const FOCUSABLE = 'a[href], button, [tabindex]';

/**
 * A component whose first look comes drawn in the document. There it stays as it is, without its script, until
 * somebody sees it and the browser has nothing better to do, or until there is something else to draw.
 */
export function drawnUntilSeen<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  const Lazy = lazy(load);
  let Loaded: ComponentType<Props> | undefined;

  /** `drawnOf` is what it draws: the same while it looks the same. */
  return function DrawnUntilSeen({ drawnOf, ...rest }: Props & { drawnOf: unknown }) {
    const props = rest as unknown as Props;
    const [isDrawn, setDrawn] = useState(() => typeof window !== 'undefined' && isFirstDrawing());
    const [drawnFirst] = useState(drawnOf);
    const box = useRef<HTMLDivElement>(null);
    const focused = useRef(-1);
    const isOther = drawnOf !== drawnFirst;

    useEffect(() => {
      if (!isDrawn || !box.current) return;
      const drawn = box.current;
      let isOver = false;
      const begin = () =>
        load().then(
          (module) => {
            Loaded = module.default;
            if (isOver) return undefined;
            focused.current = [...drawn.querySelectorAll(FOCUSABLE)].indexOf(document.activeElement!);
            startTransition(() => setDrawn(false));
            return undefined;
          },
          // What is drawn stays: it can be read.
          () => undefined,
        );
      const observer = new IntersectionObserver((entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        observer.disconnect();
        whenIdle(() => void begin());
      });
      if (isOther) void begin();
      else observer.observe(drawn);
      return () => {
        isOver = true;
        observer.disconnect();
      };
    }, [isDrawn, isOther]);
    useLayoutEffect(() => {
      if (!isDrawn && focused.current >= 0)
        box.current?.querySelectorAll<HTMLElement>(FOCUSABLE)[focused.current]?.focus({ preventScroll: true });
    }, [isDrawn]);

    // React leaves alone what it is told to be foreign: the server's drawing.
    if (isDrawn) return <div ref={box} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: '' }} />;
    return (
      <div ref={box} key="live">
        {Loaded ? (
          <Loaded {...props} />
        ) : (
          <Suspense fallback={null}>
            <Lazy {...props} />
          </Suspense>
        )}
      </div>
    );
  };
}
