// A conversation opened by its address makes the frame connect twice, first without the conversation. Each time it asks
// for a cookie before, and the connection made last stays: only the last one asked for is answered, or the page can stay empty.
const send = window.fetch.bind(window);
let asked = 0;
window.fetch = (input, init) => String(input.url || input).includes("/set-session-cookie") ? cookie(input, init) : send(input, init);

async function cookie(input, init) {
  const mine = ++asked;
  try {
    const answer = await send(input, init);
    return new Response(await answer.text(), answer);  // read to its end, so that what follows it follows at once
  } finally {
    if (mine !== asked) await new Promise(() => {});
  }
}
