/** A page without a payment, for an error. */
export function ProblemPage({ title, text }: { title: string; text: string }) {
  return (
    <div class="page">
      <main class="problem">
        <h1>{title}</h1>
        <p>{text}</p>
      </main>
    </div>
  );
}
