/* Runs one application, described in JSON, on a real Spark. Tasks sleep in the JVM for as long as the description says,
   so they take as long on any number of slots, and slots govern the clock rather than processors.

   Application DESCRIPTION MASTER FOLDER JAR, with the jars of pyspark on the class path

   The description is what benchmarks/truth/applications.py draws. A first context, of which there is no log, loads the
   classes; the second one runs the application and leaves its event log in FOLDER. */
import java.io.File

import com.fasterxml.jackson.databind.{JsonNode, ObjectMapper}
import org.apache.spark.{HashPartitioner, SparkConf, SparkContext, TaskContext}
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.functions.{broadcast, col, max, sum, udf}

import scala.collection.JavaConverters._
import scala.collection.mutable

object Sleep extends Serializable {
  def apply(seconds: Double): Unit = Thread.sleep((seconds * 1000).toLong)
}

object Application {
  type Rows = RDD[(Int, Int)]
  val MostRows = 64 // of a partition: nothing but the clock shall matter

  def seconds(node: JsonNode): Array[Double] = node.elements.asScala.map(_.asDouble).toArray

  /* A dataset: it reads others through a shuffle, or one other without, or nothing; then its tasks sleep. */
  def dataset(context: SparkContext, one: JsonNode, made: mutable.Map[String, Rows]): Rows = {
    val sleeps = seconds(one.get("tasks"))
    val failing = one.path("failing").elements.asScala.map(_.asInt).toSet
    val reads = one.get("reads").elements.asScala.map(name => made(name.asText)).toSeq
    val read: Rows =
      if (reads.isEmpty) context.parallelize(0 until sleeps.length * 4, sleeps.length).map(x => (x % 97, x))
      else if (one.path("narrow").asBoolean) reads.head
      else context.union(reads.map(_.partitionBy(new HashPartitioner(sleeps.length))))
    val rows = read.mapPartitionsWithIndex { (place, rows) =>
      val all = rows.take(MostRows).toArray // read first, then work
      if (failing(place) && TaskContext.get.attemptNumber == 0) {
        Sleep(sleeps(place) / 2)
        throw new IllegalStateException("this attempt was to fail")
      }
      Sleep(sleeps(place))
      all.iterator
    }
    if (one.path("cached").asBoolean) rows.cache() else rows
  }

  def slow(sleeps: Array[Double]) =
    udf((row: Long) => { Sleep(sleeps((row % sleeps.length).toInt)); row }).asNondeterministic()

  /* Two tables joined and grouped twice; each row of each part sleeps. */
  def query(session: SparkSession, one: JsonNode): Unit = {
    val parts = one.get("sleeps").elements.asScala.map(each => slow(seconds(each))).toArray
    val (keys, groups) = (one.get("keys").asLong, one.get("groups").asLong)
    val facts = session.range(0, one.get("rows").asLong, 1, one.get("partitions").asInt)
      .select(parts(0)(col("id")).as("id"), (col("id") * 7 % keys).as("key"))
    val names = session.range(0, keys, 1, one.get("name_partitions").asInt)
      .select(parts(1)(col("id")).as("key"), (col("id") % groups).as("group"))
    val joined = facts.join(if (one.get("broadcast").asBoolean) broadcast(names) else names, "key")
      .groupBy("group", "key").agg(sum("id").as("value"))
      .select(parts(2)(col("key")).as("key"), col("group"), col("value"))
    joined.groupBy("group").agg(max("value").as("most"), sum("key").as("all"))
      .select(parts(3)(col("group")).as("group"), col("most"), col("all")).orderBy("group").collect()
  }

  def run(context: SparkContext, description: JsonNode): Unit = {
    val made = mutable.LinkedHashMap[String, Rows]()
    for (one <- description.get("datasets").elements.asScala) made(one.get("name").asText) = dataset(context, one, made)
    lazy val session = SparkSession.builder().config(context.getConf).getOrCreate()
    if (description.get("has_queries").asBoolean) session.range(1).schema
    val threads = description.get("threads").elements.asScala.toSeq.map { one =>
      new Thread(() => {
        if (one.has("pool")) context.setLocalProperty("spark.scheduler.pool", one.get("pool").asText)
        for (step <- one.get("steps").elements.asScala) {
          if (step.has("think")) Sleep(step.get("think").asDouble)
          if (step.has("count")) made(step.get("count").asText).count()
          if (step.has("query")) query(session, step.get("query"))
        }
      })
    }
    threads.foreach(_.start())
    threads.foreach(_.join())
  }

  def settings(master: String, folder: String): SparkConf =
    new SparkConf(false).setMaster(master).set("spark.ui.enabled", "false").set("spark.local.dir", folder + "/scratch")
      .set("spark.driver.host", "127.0.0.1").set("spark.driver.bindAddress", "127.0.0.1")

  def warmUp(folder: String, hasQueries: Boolean): Unit = {
    val context = new SparkContext(settings("local[4]", folder).setAppName("warm-up"))
    context.setLogLevel("ERROR")
    for (_ <- 0 until 3) context.parallelize(0 until 64, 8).map(x => (x % 5, x)).partitionBy(new HashPartitioner(6)).count()
    if (hasQueries) {
      val node = new ObjectMapper().readTree("""{"sleeps": [[0], [0], [0], [0]], "keys": 9, "groups": 3, "rows": 50,
        "partitions": 4, "name_partitions": 2, "broadcast": false}""")
      query(SparkSession.builder().config(context.getConf).getOrCreate(), node)
      SparkSession.active.stop()
    } else context.stop()
  }

  /* All executors are there, and have loaded their classes in one job, which is taken out of the log afterwards. */
  def awaitExecutors(context: SparkContext, count: Int): Unit = {
    val latest = System.nanoTime + 40L * 1000 * 1000 * 1000
    while (context.getExecutorMemoryStatus.size <= count && System.nanoTime < latest) Thread.sleep(100)
    val rows = context.parallelize(0 until 128, 128).map(x => { Sleep(0.05); (x % 97, x) })
    context.union(Seq(rows.partitionBy(new HashPartitioner(64)))).count()
  }

  def main(words: Array[String]): Unit = {
    val Array(file, master, folder, jar) = words
    val description = new ObjectMapper().readTree(new File(file))
    warmUp(folder, description.get("has_queries").asBoolean)
    val conf = settings(master, folder).setAppName(description.get("name").asText)
      .set("spark.eventLog.enabled", "true").set("spark.eventLog.dir", "file://" + folder)
    for (one <- description.get("settings").fields.asScala) conf.set(one.getKey, one.getValue.asText)
    if (master.startsWith("local-cluster")) conf.setJars(Seq(jar))
    val context = new SparkContext(conf)
    context.setLogLevel("ERROR")
    if (master.startsWith("local-cluster") && !conf.contains("spark.dynamicAllocation.enabled"))
      awaitExecutors(context, master.split("\\[")(1).split(",")(0).toInt)
    run(context, description)
    context.stop()
    System.exit(0)
  }
}
