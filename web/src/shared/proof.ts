import { ApiError } from './api-error.ts';
import { onSessionReset } from './session-reset.ts';

type AskForProof = () => Promise<boolean>;

let askForProof: AskForProof | undefined;
let asking: Promise<boolean> | undefined;
onSessionReset(() => (asking = undefined));

/** Registers how the user is asked who they are. Returns a function that ends this. */
export function onProofRequired(ask: AskForProof): () => void {
  askForProof = ask;
  return () => {
    if (askForProof === ask) askForProof = undefined;
  };
}

/**
 * Does something that may need a recent login. When the server says so, asks the user who they are and does it again;
 * all that wait for the answer share one question. Throws the error in other words when the user does not answer.
 */
export async function withProof<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'proof_required' || !askForProof) throw error;
    asking ??= askForProof().finally(() => (asking = undefined));
    if (!(await asking))
      throw error.reworded({ error: 'We changed nothing, because you did not confirm that it is you. Try again.' });
    return action();
  }
}
