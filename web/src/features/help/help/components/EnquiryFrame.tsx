import { useEffect, useRef, useState } from 'react';
import { useUser } from '../../../../shared/session.ts';
import css from '../ContactPage.module.css';
import { heightIn, prefilledAddress } from '../model/enquiry-frame.ts';

const FIRST_HEIGHT = 640;

/** The enquiry form of another site, which sends its height in messages. */
export function EnquiryFrame({ address }: { address: string }) {
  const user = useUser();
  const frame = useRef<HTMLIFrameElement>(null);
  const [height, setHeight] = useState(FIRST_HEIGHT);
  const [source, setSource] = useState<string>();
  useEffect(() => {
    const listen = (event: MessageEvent) => {
      const newHeight = heightIn(event, address, frame.current?.contentWindow);
      if (newHeight !== undefined) setHeight(newHeight);
    };
    window.addEventListener('message', listen);
    // Loaded once, after the page listens for its height: reloading would clear a form that is being filled in.
    setSource((loaded) => loaded ?? prefilledAddress(address, user));
    return () => window.removeEventListener('message', listen);
  }, [address, user]);
  return (
    <iframe
      ref={frame}
      title="Enquiry form"
      src={source}
      height={height}
      className={css.frame}
      // The form is on another site, whose scripts cannot reach this page. Without its origin it could not use cookies
      // or send messages that can be verified.
      // oxlint-disable-next-line react/iframe-missing-sandbox -- see above
      sandbox="allow-forms allow-scripts allow-same-origin allow-popups"
      referrerPolicy="origin"
    />
  );
}
