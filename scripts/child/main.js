// @ts-check
// The script of every page. Listeners are called in the order in which they are added here.

import { startAudio } from "./audio.js";
import { boardOpened } from "./board.js";
import { startDoor } from "./door.js";
import { startEar } from "./ear.js";
import { startFocus } from "./focus.js";
import { newTablet, startHands } from "./hands.js";
import { startKeys } from "./keys.js";
import { introduce } from "./meeting.js";
import { startNetwork } from "./network.js";
import { startNews } from "./news.js";
import { startNudges } from "./nudges.js";
import { startPond } from "./pond.js";
import { greet, startNamed, startScenes } from "./pages.js";
import { startFill, startPictures } from "./pictures.js";
import { questionChanged, startQuestions, wonder } from "./question.js";
import { questionGone, startQueue } from "./queue.js";
import { refresh } from "./refresh.js";
import { startSounds } from "./sound.js";
import { startSwitch } from "./switch.js";
import { hasTable } from "./table.js";
import { startTaps } from "./taps.js";
import { startWaking } from "./waking.js";
import { startWatch } from "./watch.js";

startQueue();
startAudio();
startWaking();
startSwitch();
startSounds();
startEar();
startFocus();
startTaps();
startKeys();
startQuestions(questionGone);
startNetwork();
startNews();
startNudges();
startPond();
startWatch();
startHands();

document.addEventListener("htmx-after-swap", ({ detail }) => {
  const swapped = detail.ctx.target?.id;
  if (swapped === "board") boardOpened();
  refresh();
  if (swapped === "tablet") newTablet();
  if (swapped === "question") questionChanged();
});

document.addEventListener("DOMContentLoaded", async () => {
  startDoor();
  startPictures();
  startFill();
  startNamed();
  startScenes();
  refresh();
  greet();
  if (!hasTable()) return;
  if (await introduce()) questionGone(); // what happened meanwhile is played
  wonder();
});
