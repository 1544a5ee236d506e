// window.stiction: how tests and headless pictures drive the page.
//
//   ready                 a promise: data are loaded and the first picture is drawn, or a message says why not
//   state()               {time, frame, playing, live, picked, plots, tracks: [{name, colour, time, frame, poses, contacts, values}]};
//                         poses has [w, x, y, z, px, py, pz] of each body as they are shown, values are by name
//   seek(t), renderAt(t)  shows time t; renderAt draws at once. At the time of a frame poses are exactly those recorded
//   step(n)               n frames on, or back
//   play(), pause()
//   setCamera({position, target, fov})   m, m, degrees; parts may be left out. camera() returns them
//   look(view)            "home", "front", "side" or "top"
//   setOption(name, v)    an option of options.ts; false where there is no such option or v does not fit
//   pick(body)            by name or number; null: none
//   addPlot(id)           for example "iterations" or "joint:elbow"
//   bodyAt(x, y)          name of the body under a point of the picture in CSS pixels; null: none
//   placeOnScreen(body)   where the origin of a body is seen, in CSS pixels of the picture
//   info()                {drawCalls, triangles, pictures, scriptMs, undisturbedMs}: scriptMs is the median time of script and
//                         submission of a picture over the last 120, undisturbedMs the time of the best tenth: what it takes
//                         where nothing else wants the processor
//   errors                messages that were shown
//
// With #manual=1 in the address nothing moves by itself: a picture is drawn by renderAt, and after each change made here.

import { kViews, type CameraState, type ViewName } from "./cameras";
import type { Page } from "./page";

declare global {
  interface Window {
    stiction: ReturnType<typeof makeApi>;
  }
}

export function makeApi(page: Page, ready: Promise<void>) {
  const changed = () => {
    page.invalidate();
    if (page.manual) page.draw();
  };
  const seek = (t: number) => {
    page.player?.seek(t);
    changed();
  };
  return {
    ready,
    errors: page.errors,
    state: () => ({
      time: page.time,
      frame: page.player?.frame ?? page.sources[0]?.moment.frame ?? 0,
      playing: page.playing,
      live: page.isLive,
      picked: page.picked >= 0 ? (page.stage?.bodies[page.picked].name ?? null) : null,
      plots: page.plotIds,
      tracks: page.sources.map((source, k) => ({
        name: source.name,
        colour: source.colour,
        time: source.moment.time,
        frame: source.moment.frame,
        poses: page.stage?.bodies.map((_, body) => page.poseOf(k, body)) ?? [],
        contacts: source.moment.contactCount,
        values: Object.fromEntries(source.valueNames.map((name, i) => [name, source.moment.values[i]])),
      })),
    }),
    seek,
    renderAt: (t: number) => {
      seek(t);
      if (!page.manual) page.draw();
    },
    step: (count: number) => {
      page.step(count);
      changed();
    },
    play: () => {
      page.play();
      changed();
    },
    pause: () => {
      page.pause();
      changed();
    },
    camera: () => page.view.cameras.get(),
    setCamera: (state: Partial<CameraState>) => {
      page.view.cameras.set(state);
      changed();
    },
    look: (view: ViewName) => {
      if (!kViews.includes(view)) return;
      page.look(view);
      changed();
    },
    setOption: (name: string, value: unknown) => {
      const known = page.options.setByName(name, value);
      changed();
      return known;
    },
    pick: (body: string | number | null) => {
      page.pick(page.findBody(body));
      changed();
    },
    addPlot: (id: string) => page.addPlot(id),
    bodyAt: (x: number, y: number) => {
      const hit = page.view.hitAt(x, y, page.sources);
      return hit === null ? null : (page.stage?.bodies[hit.body].name ?? null);
    },
    placeOnScreen: (body: string | number) => {
      const index = page.findBody(body);
      if (index < 0) return null;
      return page.view.project(page.view.placeOf(index, page.sources[0]), page.view.viewports()[0]);
    },
    info: () => ({
      drawCalls: page.view.renderer.info.render.calls,
      triangles: page.view.renderer.info.render.triangles,
      pictures: page.pictures,
      scriptMs: page.scriptMs(0.5),
      undisturbedMs: page.scriptMs(0.1),
    }),
  };
}
