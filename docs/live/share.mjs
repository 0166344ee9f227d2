// A link that has the code in its fragment, which no browser sends to a server.

async function piped(bytes, stream) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

// The fragment of a state, which is any JSON value.
export async function packed(state) {
  const bytes = new TextEncoder().encode(JSON.stringify(state));
  const small = await piped(bytes, new CompressionStream("deflate-raw"));
  const text = btoa(String.fromCharCode(...small));
  return `#code=${text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

// The state of a fragment; null if it has none that can be read.
export async function unpacked(fragment) {
  const [, text] = fragment.match(/^#code=([\w-]+)$/) ?? [];
  if (!text) return null;
  try {
    const small = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (each) => each.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(await piped(small, new DecompressionStream("deflate-raw"))));
  } catch {
    return null; // a link that was cut
  }
}
