// Reads aloud in place of an adult: what the page asks for is played into its microphone, as the
// shipped voice says it, in a room with some noise. `bad`: pieces that are first read too loud
// ("loud"), too softly ("soft") or too long ("long").
(bad) => {
  const context = new AudioContext({ sampleRate: 24000 });
  const out = context.createMediaStreamDestination();
  const room = context.createBuffer(1, 48000, 24000);
  room.getChannelData(0).forEach((_, at, all) => (all[at] = (Math.random() - 0.5) * 0.004));
  const noise = context.createBufferSource();
  Object.assign(noise, { buffer: room, loop: true }).connect(out);
  noise.start();
  navigator.mediaDevices.getUserMedia = async () => out.stream;

  const speak = async (name, loudness, seconds) => {
    const file = encodeURIComponent(name).replaceAll("%2B", "+");
    const sound = await (await fetch(`/static/voice/${file}.mp3`)).arrayBuffer();
    const source = context.createBufferSource();
    const gain = context.createGain();
    source.buffer = await context.decodeAudioData(sound);
    gain.gain.value = loudness;
    source.connect(gain).connect(out);
    source.loop = Boolean(seconds);
    source.start();
    if (seconds) source.stop(context.currentTime + seconds);
  };

  window.takes = 0;
  const tried = new Set();
  const answer = (asked) => {
    if (asked.startsWith("Please say")) setTimeout(speak, 200, "lets-play", 0.5);
    if (!asked.startsWith("Please read:") && !/too (loud|quiet|long|short)/.test(asked)) return;
    const name = document.querySelector("#pieces [aria-current]")?.dataset.name;
    if (!name) return;
    const how = tried.has(name) ? "" : bad[name];
    tried.add(name);
    window.takes += 1;
    const [loudness, seconds] = { loud: [8], soft: [0.004], long: [0.5, 8] }[how] ?? [
      0.3 + Math.random() * 0.4,
    ];
    setTimeout(speak, 150, name, loudness, seconds);
  };
  addEventListener("DOMContentLoaded", () => {
    const say = document.getElementById("say");
    const watch = new MutationObserver(() => answer(say.textContent));
    watch.observe(say, { childList: true, characterData: true, subtree: true });
  });
};
