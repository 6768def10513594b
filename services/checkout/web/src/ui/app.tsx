import { useEffect, useRef } from 'preact/hooks';
import { Bill, HowItWorks } from './bill.tsx';
import { Choose } from './choose.tsx';
import { focusTitle } from './focus-title.ts';
import { isBadEmail, Spoken, Stale } from './notice.tsx';
import type { LaterParts, Model, Notice } from '../state/model.ts';
import { useView, ViewProvider, type View } from './view.ts';

/** The whole page of one group payment. */
export function App({ view }: { view: View }) {
  return (
    <ViewProvider value={view}>
      <Page />
    </ViewProvider>
  );
}

/** The scenes of the page: the payer's steps, or the outcome of the group. */
type Scene = 'choose' | keyof LaterParts['scenes'];

function chooseScene({ model }: View): Scene {
  if (!model.later.value) return 'choose';
  const step = model.step.value;
  if (step === 'checking' || step === 'leaving') return 'checking';
  if (step === 'paying') return 'card';
  if (!model.awaitsPayers.value) return 'over';
  if (step === 'done' || step === 'card') return step;
  return 'choose';
}

function Page() {
  const view = useView();
  const scene = chooseScene(view);
  const later = scene === 'choose' ? null : view.model.later.value;
  const Later = later?.scenes[scene as keyof LaterParts['scenes']];
  useFocusOnChange(scene, view.model);
  // In a frame, the page around it has the landmarks.
  const isFramed = view.model.bootstrap.kind === 'embed';
  const Main = isFramed ? 'div' : 'main';
  const Footer = isFramed ? 'div' : 'footer';
  return (
    <div class="page">
      <Stale />
      <Main class="content">
        <Bill />
        <div class="flow">
          {Later ? <Later key={scene} /> : <Choose />}
          {later && <later.Shares />}
        </div>
        {view.model.awaitsPayers.value && <HowItWorks />}
      </Main>
      <Footer class="foot">
        <p>{view.t('order', { id: view.model.bootstrap.group.order_id })}</p>
      </Footer>
      <Spoken />
    </div>
  );
}

/**
 * Moves the focus to the title of a new scene, and to the reason when an action of the payer was refused; the first
 * scene does not take the focus.
 */
function useFocusOnChange(scene: Scene, { refusals, notice }: Model): void {
  const before = useRef({ scene, refusals: refusals.value });
  useEffect(() => {
    const { scene: last, refusals: seen } = before.current;
    before.current = { scene, refusals: refusals.value };
    if (seen !== refusals.value) return showProblem(notice.value);
    if (last !== scene) focusTitle();
  }, [scene, refusals.value]);
}

/** Shows the reason to a payer whose screen may be scrolled away from it; a refused field takes the focus itself. */
function showProblem(notice: Notice | null): void {
  const place = document.querySelector<HTMLElement>(isBadEmail(notice) ? '#email' : '.alert-place .notice');
  place?.focus({ preventScroll: true });
  place?.scrollIntoView({ block: 'center' });
}
