const loads = new Map<string, Promise<void>>();

/** Loads a gateway's script once. A failed load is tried again at the next call. */
export function loadScript(src: string): Promise<void> {
  const known = loads.get(src);
  if (known) return known;
  const load = new Promise<void>((resolve, reject) => {
    const script = document.createElement('script');
    script.src = src;
    script.onload = () => resolve();
    script.onerror = () => {
      script.remove();
      loads.delete(src);
      reject(new Error(`no ${src}`));
    };
    document.head.append(script);
  });
  loads.set(src, load);
  return load;
}
