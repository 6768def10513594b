/** A page without a payment, for an error. In a frame, the page around it has the landmarks. */
export function ProblemPage({ title, text, isFramed }: { title: string; text: string; isFramed: boolean }) {
  const Main = isFramed ? 'div' : 'main';
  return (
    <div class="page">
      <Main class="problem">
        <h1>{title}</h1>
        <p>{text}</p>
      </Main>
    </div>
  );
}
