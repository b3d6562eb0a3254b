import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { NavigationType, useLocation, useNavigationType, useSearchParams } from './router.ts';
import { useUpdateSearchParams } from './use-update-search-params.ts';

/**
 * A URL parameter that a control edits. `draft` follows the control at once, the URL `delayMs` after the last
 * change. Afterwards the draft changes only when something else changes the URL: Back, Forward or a link.
 */
export function useSearchParamDraft(name: string, delayMs = 0) {
  const update = useUpdateSearchParams();
  // A form without scripts sends each of several values by itself.
  const value = useSearchParams()[0].getAll(name).filter(Boolean).join(',');
  const { pathname } = useLocation();
  const isPop = useNavigationType() === NavigationType.Pop;
  const [draft, setDraft] = useState(value);
  // Values that were sent to the URL and have not been rendered from it yet.
  const sentValues = useRef<string[]>([]);
  const send = (text: string) => {
    const trimmed = text.trim();
    if (update({ [name]: trimmed, page: null }, { replace: true })) sentValues.current.push(trimmed);
  };
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const cancel = () => clearTimeout(timer.current);
  useEffect(() => cancel, []);

  const adopt = useEffectEvent((isSamePage: boolean) => {
    const index = sentValues.current.indexOf(value);
    if (index >= 0 && !isPop && isSamePage) {
      sentValues.current.splice(0, index + 1);
      return;
    }
    sentValues.current = [];
    cancel();
    setDraft(value);
  });
  const adopted = useRef({ pathname, value });
  useEffect(() => {
    const isSamePage = adopted.current.pathname === pathname;
    if (isSamePage && adopted.current.value === value) return;
    adopted.current = { pathname, value };
    adopt(isSamePage);
  }, [pathname, value]);

  return {
    draft,
    /** Sets the draft, and the URL after the delay. */
    setDraft: (text: string) => {
      setDraft(text);
      cancel();
      timer.current = setTimeout(send, delayMs, text);
    },
    /** Sets both now, and drops a change that waits for its delay. */
    commit: (text = draft) => {
      cancel();
      setDraft(text);
      send(text);
    },
  };
}
