import { useEffect, useRef, useState } from 'react';
import { useUser } from '../../../shared/session.ts';
import css from './EnquiryFrame.module.css';
import { heightIn, prefilledAddress } from '../model/enquiry-frame.ts';

const FIRST_HEIGHT = 640;

/** The company's enquiry form of another site. It says how high it is. */
export function EnquiryFrame({ address }: { address: string }) {
  const user = useUser();
  const frame = useRef<HTMLIFrameElement>(null);
  const [height, setHeight] = useState(FIRST_HEIGHT);
  const [source, setSource] = useState<string>();
  useEffect(() => {
    const listen = (event: MessageEvent) => {
      const asked = heightIn(event, address, frame.current?.contentWindow);
      if (asked !== undefined) setHeight(asked);
    };
    window.addEventListener('message', listen);
    // Not before somebody listens to its height, and once: a form that is being filled in must not be loaded again.
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
      // oxlint-disable-next-line react/iframe-missing-sandbox -- of another site, whose scripts cannot reach this page; without its origin the form has neither cookies nor messages that can be checked
      sandbox="allow-forms allow-scripts allow-same-origin allow-popups"
      referrerPolicy="origin"
    />
  );
}
