import asyncio

from rabbithole.steps.scheduling.priority import URGENCY, Slots


async def work(slots, urgency, done, seconds=0.0):
    URGENCY.set(urgency)
    async with slots.taken():
        await asyncio.sleep(seconds)
        done.append(urgency)


def test_the_most_urgent_of_those_who_wait_goes_first():
    async def run():
        slots, done = Slots(1), []
        first = asyncio.create_task(work(slots, (9,), done, 0.01))
        await asyncio.sleep(0)
        await asyncio.gather(first, *(work_in_task(slots, urgency, done) for urgency in [(2, 1), (1,), (2, 0), ()]))
        return done

    assert asyncio.run(run()) == [(9,), (), (1,), (2, 0), (2, 1)]


def work_in_task(slots, urgency, done):
    return asyncio.create_task(work(slots, urgency, done))


def test_whoever_stops_waiting_takes_no_slot():
    async def run():
        slots, done = Slots(1), []
        first = asyncio.create_task(work(slots, (0,), done, 0.02))
        await asyncio.sleep(0)
        waiting = [asyncio.create_task(work(slots, (n,), done)) for n in range(1, 4)]
        await asyncio.sleep(0)
        waiting[0].cancel()
        first.cancel()
        await asyncio.gather(first, *waiting, return_exceptions=True)
        async with asyncio.timeout(1), slots.taken():
            return done

    assert asyncio.run(run()) == [(2,), (3,)]
